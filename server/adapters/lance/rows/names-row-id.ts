/** Filters by row id are not counted by Lance’s own count, which fails on them. */
export const namesRowId = (where: string): boolean => /_row(id|addr|offset)/.test(where);
