/** The command cannot be understood; the message says why. */
export class UsageError extends Error {}

export const generalHelp = `Curio in a terminal

  npm run curio -- <verb> [arguments] [options]

Verbs
  serve                               Start the server
  import <path…> --table NAME         Make a table of files, a folder, a glob or an address
  tables                              List the tables
  sql "<statement>"                   Run one read-only statement
  queries [export|import DIR]         Saved queries: list them, or keep them as files
  reviews [TABLE]                     List the reviews
  review <what> …                     Open, show, check, approve, merge or close one
  diff TABLE FROM [INTO]              What FROM changes in INTO (main)
  merge TABLE FROM [INTO]             Merge FROM into INTO (main)
  rebase TABLE BRANCH [ONTO]          Bring the changes of ONTO (main) onto BRANCH
  cherry-pick TABLE FROM INTO         Bring chosen versions, rows or columns of FROM to INTO
  revert TABLE BRANCH VERSION…        Undo versions by their inverse
  restore TABLE BRANCH REF            Make BRANCH as it is at REF, as a new version
  export TABLE [FILE]                 Write the rows of a table to a file, or to standard output

Options of every verb
  --json            Machine-readable output
  --help            Help on a verb
  --home FOLDER     Where the tables are            (CURIO_HOME, ./data)
  --state FOLDER    Curio's own files               (CURIO_STATE, .curio in the home)
  --url URL         Use the server at this address

A server that is running on the same state is used; otherwise one is started for the command alone.
Exit codes: 0 done, 1 failed, 2 not understood, 3 conflicts, 4 a branch moved, 5 a review is blocked, 130 cancelled.
`;

const mergingHelp = `  --take from|into  Settle every conflict that no choice settles for one side
  --choices FILE    JSON: [{"key": 7, "column": "label", "take": "from"}, {"key": 8, "column": "label", "value": "cat"}];
                    a key of several columns is a list, and without "column" the whole row is settled
  --message TEXT    For the history
  --dry-run         Only plan
  --expect-from N   --expect-into N   Ends with 4 unless the refs stand at these versions
Ends with 3 when conflicts are left; then nothing was written.
`;

export const verbHelp: Record<string, string> = {
  serve: `serve: start the server

  --port N          4820; 0 picks a free one        (PORT)
  --host HOST       127.0.0.1                       (HOST)
  --home FOLDER     Where the tables are            (CURIO_HOME)
  --state FOLDER    Curio's own files               (CURIO_STATE)
  --cache FOLDER    May be deleted at any time      (CURIO_CACHE)
  --models FOLDER   Embedding models                (CURIO_MODELS)
  --places LIST     Folders and http addresses that cells may name media in,
                    parted by commas                (CURIO_PLACES)
  --memory-mb N     For the server and all its engines
                                                    (CURIO_MEMORY_MB, 2048)
  --demo=0          No demo tables                  (CURIO_DEMO)
  --open=0          No browser                      (CURIO_OPEN)
`,
  import: `import <path…> --table NAME: make a table

Paths are files (Parquet, Arrow, CSV, TSV, JSON, NDJSON; also .gz and .zst of the last four), folders of pictures,
videos and sounds with an optional metadata file, globs, or https:// addresses. Several files become one table.

  --table NAME      The new table (needed)
  --key COLUMN      The row key; repeat it or separate with commas for several columns
  --format FORMAT   parquet, csv, tsv, json, ndjson, arrow or folder, instead of looking at the bytes
  --delimiter CHAR  --header yes|no  --encoding utf-8|utf-16|latin-1  --null TEXT   Of CSV and TSV
  --metadata FILE   The metadata file of a folder, relative to it
  --description T   A description of the table
`,
  tables: `tables: list the tables with rows, size, key and branches
`,
  sql: `sql "<statement>": run one read-only statement

"clips@exp" and "clips@exp:12" read another ref. The statement may also come from standard input: sql -

  --ref TABLE=REF   The ref that a bare table name means; may be repeated
  --max-rows N      At most so many rows (1,000 as text, 10,000 with --json)
  --format FORMAT   table, csv, ndjson or arrow; csv, ndjson and arrow give all rows
`,
  queries: `queries: list the saved queries
queries export DIR: write each to a .sql file of its own, for git
queries import DIR: take the files of a folder in; what is known by its id is changed, the rest is made

docs/queries.md describes the files. Ends with 1 when a file was refused; the others are taken in.
`,
  reviews: `reviews [TABLE]: list the open reviews

  --state STATE     open, merged, closed or all
`,
  review: `review open TABLE FROM [INTO]: ask for FROM to be merged into INTO (main)
  --title TEXT      (needed)  --description TEXT  --reviewer NAME (may be repeated)
review show ID: the review with what keeps it from being merged; ends with 5 when something does
review checks ID: run its checks on the rows that the merge would give; ends with 5 when a required one fails
  --take, --choices As for merge, where there are conflicts
review approve ID
review merge ID: merge it when nothing blocks it; ends with 5 when something does
  --squash          Leave the steps of the branch out of the record of the merge
  --delete-branch   Delete the branch after the merge; the review stays readable
review close ID: close it without a merge
  --delete-branch   Delete the branch

Of merge, and --take and --choices of checks:
${mergingHelp}`,
  diff: `diff TABLE FROM [INTO]: what FROM changes in INTO (main)

  --rows            Also the changed rows, the first 100
  --base REF        Against this ref in place of where the two parted
Ends with 3 when there are conflicts.
`,
  merge: `merge TABLE FROM [INTO]: merge FROM into INTO (main)

${mergingHelp}`,
  rebase: `rebase TABLE BRANCH [ONTO]: bring what ONTO (main) changed onto BRANCH, so that it shows only its own changes again

Conflicts are seen from ONTO: “from” is what ONTO has, “into” what BRANCH has.

${mergingHelp}`,
  'cherry-pick': `cherry-pick TABLE FROM INTO: bring a part of what FROM changed to INTO

  --versions A,B    Versions of FROM
  --rows A,B        Rows of FROM, by their _rowid there
  --columns A,B     Only cells of these columns
${mergingHelp}`,
  revert: `revert TABLE BRANCH VERSION…: undo versions of a branch by their inverse; later changes of other cells stay

${mergingHelp}`,
  restore: `restore TABLE BRANCH REF: make BRANCH as it is at REF (a version of its own, another branch or a tag), as a new version

  --message TEXT    For the history
  --dry-run         Only say what would change
`,
  export: `export TABLE [FILE]: write rows to a file, or to standard output

  --ref REF         main, exp, exp:12 or tag:golden (main)
  --format FORMAT   parquet, csv, ndjson or arrow; by the name of the file when absent
  --columns A,B     Only these columns
  --where FILTER    Only rows that match
  --order-by COLUMN[ desc]
  --blobs no        Leave the bytes of blob columns out (parquet and arrow take them in; csv and ndjson never do)
`,
};
