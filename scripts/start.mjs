import { join } from 'node:path';
import { isTaken, wantedAddress } from './free-port.mjs';
import { become, buildPage, installPackages, root } from './setup.mjs';

const args = process.argv.slice(2);
const address = wantedAddress(args, process.env);
if (address && (await isTaken(address))) {
  process.stderr.write(
    `Port ${address.port} on ${address.host} is taken.\n  Is Curio running already? Otherwise set PORT to another one, or to 0.\n`,
  );
  process.exit(1);
}
installPackages();
buildPage();
become(join(root, 'server', 'cli', 'main.ts'), ['serve', ...args]);
