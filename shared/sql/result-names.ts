/** Names of a result's columns, each once: a second `id` is `id_1`. */
export function distinctResultNames(names: readonly string[]): string[] {
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 1; taken.has(free) || (free !== name && given.has(free)); count += 1)
      free = `${name}_${count}`;
    taken.add(free);
    return free;
  });
}
