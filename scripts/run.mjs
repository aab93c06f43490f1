// Runs a TypeScript module of the project: `node scripts/run.mjs server/cli/main.ts …`.
import { join } from 'node:path';
import { become, installPackages, root } from './setup.mjs';

const [module, ...args] = process.argv.slice(2);
installPackages();
become(join(root, module), args);
