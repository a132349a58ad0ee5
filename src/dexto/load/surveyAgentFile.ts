import { join } from 'node:path';
import type { AgentFile } from '../agentFile/agentFile.ts';
import type { AgentFileInput, AgentFileReading } from '../agentFile/readAgentFile.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { BuiltIns } from '../builtins/builtIn.ts';
import type { FileSystem } from '../../host/ports.ts';
import { readConsents, type ConsentStore } from '../../plugins/consent/consentStore.ts';
import type { Consent } from '../../plugins/consent/consentRecords.ts';
import { findAgentFile, type DextoLoadInput } from './findAgentFile.ts';
import type { DextoLoader } from './loadTypes.ts';
import { planDextoPlugin, type DextoPlan } from './planDextoPlugin.ts';
import { realPathOr } from '../../plugins/realPathOr.ts';

export interface SurveyAgentFileParts {
  readonly fs: FileSystem;
  readonly consents: Pick<ConsentStore, 'agreed'>;
  readonly loader: Pick<DextoLoader, 'resolve'>;
  readonly readAgentFile: (fs: FileSystem, input: AgentFileInput) => Promise<AgentFileReading>;
  readonly builtIns: BuiltIns;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** What `~` stands for. */
  readonly homeDir: string;
}

/** What the disk says. `file` is the last one that could be read where the present one is broken. */
export type AgentFileSurvey =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problem: Diagnostic; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: 'read';
      readonly file: AgentFile;
      readonly plans: readonly DextoPlan[];
      readonly consents: readonly Consent[];
      /** Why `file` is not what the disk holds. */
      readonly problem?: Diagnostic;
      readonly diagnostics: readonly Diagnostic[];
    };

/**
 * Reads the agent file and decides about its plugins. A file that can't be used leaves the last one standing, so that what the user
 * switches off or takes back still counts. Reads files as data only; never rejects.
 */
export async function surveyAgentFile(
  parts: SurveyAgentFileParts,
  input: DextoLoadInput,
  last: AgentFile | undefined,
): Promise<AgentFileSurvey> {
  const found = await findAgentFile(parts.fs, input, parts.homeDir);
  if (found.kind === 'none') return found;
  const { env, builtIns } = parts;
  const where = { path: found.path, roots: input.roots, env, builtIns };
  const reading =
    found.kind === 'found'
      ? await parts.readAgentFile(parts.fs, { ...where, origin: found.origin })
      : undefined;
  const diagnostics = found.kind === 'failed' ? [found.diagnostic] : (reading?.diagnostics ?? []);
  const problem = diagnostics.find(({ level }) => level === 'error');
  // It was there a moment before.
  if (problem?.code === 'agent_file_missing' && input.agentFile === undefined) return { kind: 'none' };
  const isSameFile = last?.path === found.path && (found.kind === 'failed' || last.origin === found.origin);
  const file = problem === undefined ? reading?.file : isSameFile ? last : undefined;
  if (file === undefined)
    return problem === undefined ? { kind: 'none' } : { kind: 'broken', problem, diagnostics };
  const { consents, intended, problems } = await readConsents(parts.consents, parts.fs);
  const roots = await Promise.all(input.roots.map((root) => realPathOr(parts.fs, root)));
  const shared = sharedFolders(parts, file, roots);
  const about = { file, config: input.config, consents, intended, roots, shared };
  const facts = { fs: parts.fs, resolve: parts.loader.resolve, ...about };
  const plans: DextoPlan[] = [];
  for (const entry of file.plugins) plans.push(await planDextoPlugin(entry, facts));
  return {
    kind: 'read',
    file,
    plans,
    consents,
    diagnostics: [...diagnostics, ...problems],
    ...(problem === undefined ? {} : { problem }),
  };
}

/** `roots` with links resolved. */
function sharedFolders(
  { home, homeDir }: SurveyAgentFileParts,
  { dir }: AgentFile,
  roots: readonly string[],
): readonly string[] {
  return [
    dir,
    homeDir,
    join(home, 'plugins'),
    ...roots,
    ...roots.map((root) => join(root, '.pincer', 'plugins')),
  ];
}
