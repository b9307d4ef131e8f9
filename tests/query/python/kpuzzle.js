// Translates the files of a folder with the reader of the page: node kpuzzle.js KPUZZLE.JS FOLDER. Prints
// a list of pairs in JSON: the name of a file, and its text in our language or the error.
'use strict';
const fs = require('fs');
const vm = require('vm');

const [reader, folder] = process.argv.slice(2);
vm.runInThisContext(fs.readFileSync(reader, 'utf8'));
const translate = vm.runInThisContext('translateKPuzzle');

function read(name) {
    const goal = `${folder}/${name}.goal`;
    try {
        return translate(fs.readFileSync(`${folder}/${name}.json`, 'utf8'), `${name}.json`,
            fs.existsSync(goal) ? fs.readFileSync(goal, 'utf8') : null, `${name}.goal`);
    } catch (fault) {
        return fault.message + '\n';
    }
}

const names = fs.readdirSync(folder).filter(name => name.endsWith('.json')).map(name => name.slice(0, -5));
console.log(JSON.stringify(names.map(name => [name, read(name)])));
