# The first test is the negative control of run_cases. A name may be a path, and a wrong one fails.
build=$(dirname "$(dirname "$(command -v fewest)")")
"$SOURCE/tests/run_cases" "$build" two-metrics-exclude-each-other tests/cases/help-names-a-command.sh
"$SOURCE/tests/run_cases" "$build" no-such-case
