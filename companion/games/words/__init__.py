"""The games in words, a module a game: everything that is said of one game alone, in English and in French.

What several games say lies in the general catalogues, `companion.messages`.
"""
