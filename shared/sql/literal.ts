/** A text value for any engine: single quotes, doubled inside; a backslash stands for itself. */
export const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`;
