# SPDX-License-Identifier: MIT
"""benchmarks/report, from the table of rows to the page. Read in this order:

row            the nouns: a row has points, contenders and bars
rows           the table of data: every row with the command of each contender
parsers        a figure out of the output of a program, one parser for each kind of output
plan           which figures a run measures, in which order
processes      one command, or a server and its client, with pins, time limit and samples
machine        facts about the machine, the builds and the peers
results        the file of JSON lines, which alone makes the table and the page
spread, findings  medians, ratios within a round, and whether a bar is met
markdown, plot, page  the table of results/report.md, and the page, whose plots nd draws
"""
