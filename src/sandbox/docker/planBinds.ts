import { PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Bind, BindRules } from './bindTypes.ts';
import { checkBind } from './checkBind.ts';
import { hostRunNames } from './decideBind.ts';
import { pathsOf } from './parseBind.ts';
import type { SandboxOptions } from './sandboxOptions.ts';

/** A workspace folder and where the container sees it. */
interface WorkspaceMount {
  readonly folder: string;
  readonly target: string;
}

/** `/workspace` for one folder, `/workspace/1` and on for several. Pure. */
export function workspaceMounts(folders: readonly string[]): readonly WorkspaceMount[] {
  const [only] = folders;
  if (only !== undefined && folders.length === 1) return [{ folder: only, target: '/workspace' }];
  return folders.map((folder, at) => ({ folder, target: `/workspace/${at + 1}` }));
}

export interface BindPlanInput {
  readonly fs: Pick<FileSystem, 'realpath' | 'lstat'>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly folders: readonly string[];
  readonly options: SandboxOptions;
}

/**
 * All binds of a container, checked now: the workspace and what the user's config adds, and over each that is writable
 * read-only what this machine runs or obeys later (a writable `.git/hooks` would be a way out).
 * @throws PincerError `sandbox_bind_refused`
 */
export async function planBinds(input: BindPlanInput): Promise<readonly Bind[]> {
  const { fs, platform, home, folders, options } = input;
  const rules: BindRules = {
    platform,
    home,
    roots: [...folders, ...options.bindRoots],
    reservedTargets: ['/workspace', '/agent'],
  };
  const added: Bind[] = [];
  for (const text of options.binds) {
    const verdict = await checkBind(fs, text, rules, added);
    if (!verdict.ok) throw refused(verdict.fault.reason);
    added.push(verdict.bind);
  }
  const covered: Bind[] = [];
  for (const bind of added) covered.push(bind, ...(await findCovers(input, bind)));
  return [...(await bindWorkspace(input)), ...covered];
}

async function bindWorkspace(input: BindPlanInput): Promise<readonly Bind[]> {
  const { fs, folders, options } = input;
  const mode = options.workspaceAccess;
  if (mode === 'none') return [];
  const binds: Bind[] = [];
  for (const { folder, target } of workspaceMounts(folders)) {
    const source = await fs.realpath(folder);
    if (/[,"\n\r]/u.test(source))
      throw refused(`Sandbox security: Docker can't be given the path "${source}".`);
    binds.push({ source, target, mode }, ...(await findCovers(input, { source, target, mode })));
  }
  return binds;
}

/** Read-only over a writable bind, for it and the workspace folders in it: what is there that this machine runs or obeys later. */
async function findCovers(
  { fs, platform, folders }: BindPlanInput,
  { source, target, mode }: Bind,
): Promise<readonly Bind[]> {
  if (mode === 'ro') return [];
  const rules = pathsOf(platform);
  const inside = new Set(['']);
  for (const folder of folders) {
    const way = rules.relative(source, await fs.realpath(folder));
    if (way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way)) inside.add(way);
  }
  const covers: Bind[] = [];
  for (const way of inside) {
    for (const name of hostRunNames) {
      const path = rules.join(source, way, name);
      const found = await fs.lstat(path);
      if (found === undefined) continue;
      // Docker follows a link of a source: a repository could have any folder of this machine laid into the container.
      if (found.kind === 'symlink')
        throw refused(
          `Sandbox security: "${path}" is a link. What it leads to would be seen in the container.`,
          'Replace the link by what it leads to, or set sandbox.workspaceAccess to ro in your own config.',
        );
      const below = [...way.split(rules.sep), name].filter((each) => each !== '').join('/');
      covers.push({ source: path, target: `${target}/${below}`, mode: 'ro' });
    }
  }
  return covers;
}

function refused(
  reason: string,
  hint = 'Correct sandbox.binds in your own config (Pincer: Open User Config).',
): PincerError {
  return new PincerError('sandbox_bind_refused', reason, { hint });
}
