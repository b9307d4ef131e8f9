# `fewest help COMMAND` is `fewest COMMAND --help`, and `fewest help` is `fewest --help`.
fewest help show
fewest help | head -1
fewest help foo
