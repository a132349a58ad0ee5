// Threat: a bind hands a part of this machine to whatever runs in the container: keys, the sockets of container engines
// (which are root), system files, and with write access everything that the host runs later. So only sources below the
// allowed roots pass, and what is denied beats what is allowed.
import type { Bind, BindRules } from './bindTypes.ts';
import { pathsOf } from './parseBind.ts';

/** What every Linux keeps to itself, on this machine and in the container. */
const linuxFolders =
  '/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /root /run /sbin /sys /tmp /usr /var'.split(' ');

/** Never a source, whatever the roots say; everything below and above. Lower case. */
const systemFolders = [
  ...linuxFolders,
  ...'/lost+found /snap /private/etc /private/tmp /private/var'.split(' '),
  ...'/system /library /volumes /cores /applications /network'.split(' '),
  ...['c:\\windows', 'c:\\program files', 'c:\\program files (x86)', 'c:\\programdata'],
];

/** Names that hold keys wherever they stand. Lower case. */
const secretNames = new Set([
  ...[
    '.aws',
    '.azure',
    '.cargo',
    '.config',
    '.docker',
    '.gcloud',
    '.gnupg',
    '.kube',
    '.netrc',
    '_netrc',
    '.npm',
  ],
  ...[
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.password-store',
    '.pgpass',
    '.ssh',
    '.vault-token',
    '.yarnrc.yml',
  ],
]);

/** Names below a root that the host runs or obeys later: visible, never writable. Lower case. */
export const hostRunNames: readonly string[] = [
  ...['.git', '.hg', '.svn', '.husky', '.githooks', '.vscode', '.vscode-server', '.idea', '.devcontainer'],
  ...['.github', '.pincer', '.openclaw', '.claude', '.codex', '.cursor', '.gemini'],
];

const socket = /\.sock$|^docker_engine$/u;

/**
 * Why a bind is refused, or undefined. It judges the text: it is asked for what was written and again for where that really
 * lies. Texts follow upstream's. Pure.
 */
export function findBindFault({ source, target, mode }: Bind, rules: BindRules): string | undefined {
  const from = namesOf(source, rules.platform);
  const bind = `${source}:${target}`;
  if (from.length <= 1) return blocked(bind, 'covers', source);
  for (const each of [...systemFolders, rules.home]) {
    const denied = namesOf(each, rules.platform);
    if (isBelow(denied, from)) return blocked(bind, 'covers', each);
    if (each !== rules.home && isBelow(from, denied)) return blocked(bind, 'targets', each);
  }
  const root = rules.roots.map((each) => namesOf(each, rules.platform)).find((each) => isBelow(from, each));
  if (root === undefined) {
    return `Sandbox security: bind mount "${bind}" source is outside allowed roots (${rules.roots.join(', ')}).`;
  }
  const secret = from.find((name) => secretNames.has(folded(name)) || socket.test(folded(name)));
  if (secret !== undefined) return blocked(bind, 'targets', secret);
  const run = from.slice(root.length).find((name) => hostRunNames.includes(folded(name)));
  if (run !== undefined && mode === 'rw')
    return `Sandbox security: bind mount "${bind}" makes "${run}" writable, which this machine runs or obeys later. Bind it as ro.`;
  return findTargetFault(bind, target, rules);
}

function findTargetFault(bind: string, target: string, rules: BindRules): string | undefined {
  const to = namesOf(target, 'linux');
  if (to.length <= 1) return blocked(bind, 'covers', '/');
  const taken = [...linuxFolders, ...rules.reservedTargets].find((each) => {
    const names = namesOf(each, 'linux');
    return isBelow(to, names) || isBelow(names, to);
  });
  return taken === undefined
    ? undefined
    : `Sandbox security: bind mount "${bind}" target is reserved: "${taken}". Choose another, such as /data.`;
}

/** Why binds can't stand beside each other, or undefined. Pure. */
export function findBindConflict(bind: Bind, others: readonly Bind[], rules: BindRules): string | undefined {
  for (const other of others) {
    const [to, otherTo] = [namesOf(bind.target, 'linux'), namesOf(other.target, 'linux')];
    if (isBelow(to, otherTo) || isBelow(otherTo, to))
      return `Sandbox security: the targets "${bind.target}" and "${other.target}" lie in each other.`;
    const [from, otherFrom] = [namesOf(bind.source, rules.platform), namesOf(other.source, rules.platform)];
    if (bind.mode !== other.mode && (isBelow(from, otherFrom) || isBelow(otherFrom, from)))
      return `Sandbox security: "${bind.source}" and "${other.source}" lie in each other, one writable and one not.`;
  }
  return undefined;
}

function blocked(bind: string, how: 'covers' | 'targets', path: string): string {
  return `Sandbox security: bind mount "${bind}" ${how} blocked path "${path}". Bind a folder of the workspace instead.`;
}

/** For refusing only: a volume that ignores case may take a long s for an s as well (`.v\u017Fcode`). */
function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** The root first, then the names, spelled as the platform compares them. */
function namesOf(path: string, platform: NodeJS.Platform): readonly string[] {
  const rules = pathsOf(platform);
  const normal = rules.normalize(path).replace(/^\/{2,}/u, '/');
  const { root } = rules.parse(normal);
  const names = [root, ...normal.slice(root.length).split(rules.sep)].filter((name) => name !== '');
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  return ignoresCase ? names.map((name) => name.normalize('NFC').toLowerCase()) : names;
}

/** True where `path` is the folder or lies in it. Whole names are compared. */
function isBelow(path: readonly string[], folder: readonly string[]): boolean {
  return folder.every((name, at) => path[at] === name);
}
