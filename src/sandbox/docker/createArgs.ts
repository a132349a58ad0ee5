// Threat: what runs in the container is not trusted at all. So nothing is given that is not named here: no network, no
// capability, no new privilege, no writable system, no environment of ours, no name that text from outside could turn into
// another option. The list is fixed; options only fill in sizes.
import { PincerError } from '../../base/errors.ts';
import type { Bind } from './bindTypes.ts';
import type { SandboxOptions } from './sandboxOptions.ts';

export interface ContainerPlan {
  /** `pincer-…`, ours. */
  readonly name: string;
  /** Labels by key; they name the owner so that what a crash leaves can be found. */
  readonly labels: Readonly<Record<string, string>>;
  readonly options: SandboxOptions;
  /** Checked; sources are real paths. */
  readonly binds: readonly Bind[];
  /** `uid:gid` of the user, so that files made in the workspace are theirs; undefined where the platform has none. */
  readonly user: string | undefined;
}

const image = /^[a-z0-9][a-z0-9._/:-]*(?:@sha256:[a-f0-9]{64})?$/u;
const memory = /^[1-9]\d*[bkmg]?$/u;
const plainValue = /^[\w.:/-]*$/u;

/**
 * The arguments of `docker create`, hardened. Pure.
 * @throws PincerError `sandbox_option_invalid` for an image, size or label that is none
 */
export function planCreateArgs(plan: ContainerPlan): readonly string[] {
  const { name, labels, options, binds, user } = plan;
  requirePlain('image', options.image, image);
  requirePlain('memory', options.memory, memory);
  for (const [key, value] of Object.entries(labels)) requirePlain(`label ${key}`, value, plainValue);
  if (user !== undefined) requirePlain('user', user, /^\d+:\d+$/u);
  const numbers = { cpus: options.cpus, 'pids-limit': options.pidsLimit };
  for (const [key, value] of Object.entries(numbers))
    if (!Number.isFinite(value) || value <= 0) throw invalid(key, String(value));
  return [
    'create',
    `--name=${name}`,
    ...Object.entries(labels).map(([key, value]) => `--label=${key}=${value}`),
    '--pull=never',
    '--rm',
    '--init',
    '--network=none',
    '--ipc=none',
    '--cgroupns=private',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--read-only',
    // With a mode of ours: without one, it is that of the image's folder.
    '--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=256m,mode=1777',
    '--tmpfs=/var/tmp:rw,noexec,nosuid,nodev,size=64m,mode=1777',
    '--tmpfs=/run:rw,noexec,nosuid,nodev,size=16m,mode=0755',
    `--memory=${options.memory}`,
    `--memory-swap=${options.memory}`,
    `--cpus=${options.cpus}`,
    `--pids-limit=${options.pidsLimit}`,
    '--ulimit=core=0',
    ...(user === undefined ? [] : [`--user=${user}`]),
    '--workdir=/',
    '--entrypoint=sleep',
    ...binds.map(mountOf),
    options.image,
    'infinity',
  ];
}

/** Built from fields that `parseBind` let through: no comma and no quote can start another option. */
function mountOf({ source, target, mode }: Bind): string {
  for (const each of [source, target]) if (/[,"\n\r]/u.test(each)) throw invalid('bind', each);
  return `--mount=type=bind,source=${source},target=${target}${mode === 'ro' ? ',readonly' : ''}`;
}

function requirePlain(what: string, value: string, shape: RegExp): void {
  if (!shape.test(value)) throw invalid(what, value);
}

function invalid(what: string, value: string): PincerError {
  return new PincerError(
    'sandbox_option_invalid',
    `The sandbox can't take ${what} ${JSON.stringify(value)}.`,
    {
      hint: 'Correct it under sandbox in your own config (Pincer: Open User Config).',
    },
  );
}
