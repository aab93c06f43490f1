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
  const take = (name: string): boolean => {
    if (taken.has(name.toLowerCase())) return false;
    taken.add(name.toLowerCase());
    return true;
  };
  const mended = names.map(mend);
  const kept = names.map((name, index) => mended[index] === name && take(name));
  const notices: string[] = [];
  const planned = names.map((name, index) => {
    if (kept[index]) return name;
    const base = mended[index]!;
    let chosen = base;
    for (let number = 2; !take(chosen); number += 1) chosen = `${base}_${number}`;
    notices.push(`The column ${show(name)} is now “${chosen}”.`);
    return chosen;
  });
  return { names: planned, notices };
}
