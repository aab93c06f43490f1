// The server and Vite's development server side by side, for work on the page.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { become, binPath, installPackages, nodeFlags, nodePath, root } from './setup.mjs';

installPackages();
const vite = spawn(nodePath(), [binPath('vite', 'bin', 'vite.js')], { cwd: root, stdio: 'inherit' });
process.on('exit', () => vite.kill());
process.env.CURIO_OPEN ??= '0';
process.stdout.write(`Flags of the server: ${nodeFlags.join(' ')}\n`);
become(join(root, 'server', 'cli', 'main.ts'), ['serve', ...process.argv.slice(2)]);
