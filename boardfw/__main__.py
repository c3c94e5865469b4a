"""``python -m boardfw`` is the ``boardfw`` command."""

from boardfw.cli import main

if __name__ == "__main__":
    main()
