/** A name for DuckDB and for the filter language: double quotes, doubled inside. */
export const quoteIdent = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A name for Lance, where double quotes do not always mean a name. Lance cannot address a name that has a backtick. */
export const quoteLanceIdent = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
