// The server alone, set up by the environment: the same as the verb `serve`.
process.argv.splice(2, process.argv.length, 'serve');
await import('./cli/main.ts');

export {};
