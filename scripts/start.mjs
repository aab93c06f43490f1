import { join } from 'node:path';
import { become, buildPage, installPackages, root } from './setup.mjs';

installPackages();
buildPage();
become(join(root, 'server', 'cli', 'main.ts'), ['serve', ...process.argv.slice(2)]);
