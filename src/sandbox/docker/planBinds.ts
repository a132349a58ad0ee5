import { PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Bind, BindRules } from './bindTypes.ts';
import { checkBind } from './checkBind.ts';
import { hostRunNames } from './decideBind.ts';
import { pathsOf } from './parseBind.ts';
import type { SandboxOptions } from './sandboxOptions.ts';

/** A workspace folder and where the container sees it. */
export interface WorkspaceMount {
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
 * All binds of a container, checked now: the workspace, over it read-only what this machine runs or obeys later (a writable
 * `.git/hooks` would be a way out), and what the user's config adds.
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
  return [...(await bindWorkspace(input)), ...added];
}

async function bindWorkspace({ fs, platform, folders, options }: BindPlanInput): Promise<readonly Bind[]> {
  const mode = options.workspaceAccess;
  if (mode === 'none') return [];
  const binds: Bind[] = [];
  for (const { folder, target } of workspaceMounts(folders)) {
    const source = await fs.realpath(folder);
    if (/[,"\n\r]/u.test(source))
      throw refused(`Sandbox security: Docker can't be given the path "${source}".`);
    binds.push({ source, target, mode });
    if (mode === 'ro') continue;
    for (const name of hostRunNames) {
      const path = pathsOf(platform).join(source, name);
      if ((await fs.lstat(path)) === undefined) continue;
      binds.push({ source: path, target: `${target}/${name}`, mode: 'ro' });
    }
  }
  return binds;
}

function refused(reason: string): PincerError {
  return new PincerError('sandbox_bind_refused', reason, {
    hint: 'Correct sandbox.binds in your own config (Pincer: Open User Config).',
  });
}
