# Each script prints it and does nothing else. Here, a script that would go on fails.
mkdir clone && cp -R "$SOURCE/scripts" clone && echo 'exit 9' >>clone/scripts/common.sh
for script in clone/scripts/*; do
    if [ -f "$script" ] && [ -x "$script" ]; then
        "$script" --help >help && grep -q '^[A-Z]' help && echo "${script##*/}"
    fi
done
cd / && "$OLDPWD/clone/scripts/fuzz" -h
