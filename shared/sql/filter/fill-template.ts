/** Puts arguments into a function's template: `$1` … one each, `$*` all with commas. */
export const fillTemplate = (template: string, args: string[]): string =>
  template.replaceAll(/\$(\*|\d)/g, (_, which: string) =>
    which === '*' ? args.join(', ') : (args[Number(which) - 1] ?? ''),
  );
