"""What the companion says in English, by the codes of the rules.

`{name!t}` is looked up under TERMS, `{name!c}` is a color by its letter, `{name!j}` is what the user wrote, quoted.
"""
