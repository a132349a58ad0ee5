// Threat: a server in the sandbox reads another one's keys, or a key of its own shows in the list of processes. So each server has a container
// of its own, which ends with it, and what it is given goes in by its input.
import { errorMessage, PincerError } from '../base/errors.ts';
import type { RunningProcess } from '../host/processes.ts';
import type { DockerExec } from '../sandbox/docker/createDockerExec.ts';
import type { SandboxOptions } from '../sandbox/docker/sandboxOptions.ts';

/** A server's program, wherever it runs. */
export type RunningServer = Pick<RunningProcess, 'pid' | 'exit' | 'onOutput' | 'write' | 'endInput' | 'kill'>;

interface SandboxedStart {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path on this machine. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program in a container of its own. @throws PincerError `mcp_sandbox_unavailable`, `mcp_value_invalid` */
export async function startSandboxed(
  sandbox: DockerExec,
  { name, command, args, workdir, env }: SandboxedStart,
): Promise<{ readonly running: RunningServer; readonly end: () => Promise<void> }> {
  const given = Object.entries(env).map(([variable, value]) => {
    if (/[\n\r]/u.test(value)) throw invalidValue(name, variable);
    return `export ${variable}=${quoted(value)}`;
  });
  try {
    const inside = await sandbox.start({
      command: `IFS= read -r given && eval "$given" && unset given && exec ${[command, ...args].map(quoted).join(' ')}`,
      shell: 'bash',
      workdir,
      env: {},
      hasInput: true,
    });
    await inside.write(`${given.length === 0 ? ':' : given.join('; ')}\n`);
    return {
      running: {
        // One of the container, which nobody here may send a signal to.
        pid: 0,
        exit: inside.exit,
        onOutput: (listener) => inside.onOutput((stream, bytes) => void listener(stream, bytes)),
        write: (bytes) => inside.write(new TextDecoder().decode(bytes)),
        endInput: () => inside.endInput(),
        kill: () => void inside.stop(),
      },
      end: () => sandbox.close(),
    };
  } catch (error) {
    await sandbox.close();
    throw unavailable(name, error);
  }
}

/** What of the container's options decides about what a server may do, on one line. Pure. */
export function describeSandbox({ image, workspaceAccess, binds }: SandboxOptions): string {
  const access = { ro: 'read', rw: 'read and written', none: 'not seen' }[workspaceAccess];
  const more = binds.length === 0 ? '' : `, with ${binds.join(', ')}`;
  return `a container of ${image}, without network, the workspace ${access}${more}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function unavailable(name: string, error: unknown): PincerError {
  return new PincerError(
    'mcp_sandbox_unavailable',
    `The MCP server ${name} was not started: its entry wants the sandbox, which can't be had. ${errorMessage(error)}`,
    {
      cause: error,
      hint: 'Start Docker and check sandbox.image in your config; or take sandbox out of its entry, and you are asked again.',
    },
  );
}

function invalidValue(name: string, variable: string): PincerError {
  return new PincerError(
    'mcp_value_invalid',
    `${variable} of the MCP server ${name} has a line break, which can't be handed into the sandbox.`,
    { hint: 'Put it into a file of the workspace, or start the server without the sandbox.' },
  );
}
