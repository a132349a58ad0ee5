// A window that runs a command in the sandbox and is killed while it runs. Arguments: workspace, image.
import { openSandbox } from '../../builders/openSandbox.ts';

const [workspace = '', image = ''] = process.argv.slice(2);
const { sandbox } = await openSandbox(workspace, image);
const command = 'echo x >alive.txt; while :; do echo x >>alive.txt; sleep 0.1; done & echo ready; wait';
const running = await sandbox.start({ command, shell: 'bash', workdir: workspace, env: {}, hasInput: false });
running.onOutput((_stream, bytes) => {
  if (Buffer.from(bytes).toString().includes('ready')) process.kill(process.pid, 'SIGKILL');
});
