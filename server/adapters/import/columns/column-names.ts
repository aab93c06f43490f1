import { hiddenKeyColumn, reservedColumns } from '#shared/domain/names.ts';

const isControl = (char: string): boolean => char.charCodeAt(0) < 0x20 || char.charCodeAt(0) === 0x7f;

/** The name as Lance and every engine can address it: no dots or backticks, none that is reserved, none that is empty. */
function mend(name: string, index: number): string {
  const visible = [...name]
    .map((char) => (isControl(char) ? ' ' : char))
    .join('')
    .trim();
  const plain = visible.replaceAll('.', '_').replaceAll('`', '_');
  if (plain === '') return `column_${index + 1}`;
  return reservedColumns.has(plain) ? `${plain.replace(/^_+/, '')}_` : plain;
}

const show = (name: string): string => (name.trim() === '' ? 'without a name' : `“${name}”`);

/**
 * Names for the columns of a table. Names that cannot stand are mended, and repeated ones (also those that differ in
 * case only, which SQL cannot tell apart) numbered; a notice tells each.
 */
export function planNames(
  names: readonly string[],
  hasOwnKey: boolean,
): { names: string[]; notices: string[] } {
  const taken = new Set<string>(hasOwnKey ? [] : [hiddenKeyColumn]);
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const notices: string[] = [];
  const planned = names.map((name, index) => {
    const base = mend(name, index);
    let chosen = base;
    for (
      let number = 2;
      taken.has(chosen.toLowerCase()) ||
      (chosen !== name && chosen !== base && wanted.has(chosen.toLowerCase()));
      number += 1
    )
      chosen = `${base}_${number}`;
    taken.add(chosen.toLowerCase());
    if (chosen !== name) notices.push(`The column ${show(name)} is now “${chosen}”.`);
    return chosen;
  });
  return { names: planned, notices };
}
