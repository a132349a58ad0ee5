// The entry of every npm script: makes sure that this Node can run the TypeScript of this folder, then hands over to it.
// Plain JavaScript that an old Node can read.

const commands = [
  'start',
  'test',
  'testQuick',
  'testSetup',
  'testStress',
  'check',
  'package',
  'axe',
  'pictures',
  'bench',
  'benchRetrieval',
  'cases',
  'fuzz',
  'load',
  'conformance',
  'mcpConformance',
  'mcpReference',
  'mutate',
  'writeAgentSchema',
  'writeHookDocs',
];
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const [major, minor] = process.versions.node.split('.').map(Number);
const [name, ...args] = process.argv.slice(2);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This needs Node 22.18 or newer and found ${process.version}: run \`npm ci\` (without --omit=optional or --ignore-scripts), ` +
      'which brings a pinned Node 24 into node_modules, then use the npm scripts (`npm start`, `npm test`), which run on it.',
  );
  process.exit(1);
}
if (!commands.includes(name)) {
  console.error(`Usage: node scripts/run.mjs <${commands.join('|')}> [arguments]`);
  process.exit(2);
}

try {
  const command = await import(`./${name}.ts`);
  for (const [signal, code] of Object.entries(signals)) {
    // Ending through process.exit lets every `exit` listener stop what it has started. The signal of one Ctrl-C may come
    // twice: from the terminal and from npm, which passes it on.
    process.on(signal, () => (command.onSignal ? command.onSignal(signal) : process.exit(code)));
  }
  process.exitCode = await command.main(args);
} catch (error) {
  const hint = error?.hint ? `\n${error.hint}` : '';
  console.error(error?.code && error.name === 'PincerError' ? `${error.message}${hint}` : error);
  process.exitCode = 1;
}
