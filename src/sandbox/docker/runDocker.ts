import { PincerError } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import type { Processes } from '../../host/processes.ts';

/** Runs the Docker client once and gives its output. */
type RunDocker = (args: readonly string[]) => Promise<string>;

const maxOutput = 200_000;

/**
 * The client by its name on PATH, with an argument list and no shell. It gets only what it needs to find its daemon.
 * @param limit after which it is ended: a daemon that is starting or paused takes the connection and never answers
 * @throws PincerError `docker_missing`, `docker_failed`, `docker_silent`
 */
export function createRunDocker(
  processes: Processes,
  cwd: string,
  env: Readonly<Record<string, string>>,
  limit?: { readonly clock: Clock; readonly ms: number },
): RunDocker {
  return async (args) => {
    const running = await startDocker(processes, args, cwd, env);
    let out = '';
    let err = '';
    const late = new AbortController();
    const cancel = limit?.clock.after(limit.ms, () => {
      late.abort();
      running.kill('SIGKILL');
    });
    running.onOutput((stream, bytes) => {
      const text = Buffer.from(bytes).toString('utf8');
      if (stream === 'stdout') out = (out + text).slice(-maxOutput);
      else err = (err + text).slice(-maxOutput);
    });
    const { code } = await running.exit;
    cancel?.();
    if (late.signal.aborted)
      throw new PincerError('docker_silent', 'Docker does not answer.', { hint: 'Check that it runs.' });
    if (code === 0) return out.trim();
    throw new PincerError(
      'docker_failed',
      `docker ${args[0] ?? ''} failed: ${err.trim() || `code ${code}`}`,
      {
        hint: 'Check that Docker runs, and that the image of the sandbox is there (docker image ls).',
      },
    );
  };
}

/** Starts the client and leaves it running. @throws PincerError `docker_missing` */
export async function startDocker(
  processes: Processes,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  hasInput = false,
): ReturnType<Processes['start']> {
  try {
    return await processes.start({ file: 'docker', args, cwd, env, hasInput });
  } catch (error) {
    if (!(error instanceof PincerError) || error.code !== 'process_not_found') throw error;
    throw new PincerError('docker_missing', 'The sandbox needs Docker, and there is no docker on the PATH.', {
      hint: 'Install Docker, or set tools.exec.host to local in your own config.',
      cause: error,
    });
  }
}

/** What of our environment the client may see: where its daemon is, and where to look for it. Pure. */
export function dockerEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const names = [
    'PATH',
    'HOME',
    'USERPROFILE',
    'SystemRoot',
    'XDG_RUNTIME_DIR',
    'DOCKER_HOST',
    'DOCKER_CONTEXT',
  ];
  const more = ['DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY', 'DOCKER_CONFIG'];
  return Object.fromEntries(
    [...names, ...more].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}
