import { basename } from 'node:path';
import type { TextCache } from '../agent/prompt/createTextCache.ts';
import { planPromptParts } from '../agent/prompt/planPromptParts.ts';
import type { NestedRules } from '../agent/prompt/rules/createNestedRules.ts';
import { leaveOutCopies } from '../agent/prompt/rules/leaveOutCopies.ts';
import { readRootRules, rootRulesNames } from '../agent/prompt/rules/readRootRules.ts';
import type { RulesFile } from '../agent/prompt/rules/rulesFile.ts';
import type { SkillCatalog } from '../agent/skills/createSkillCatalog.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { Host } from '../host/ports.ts';
import { applyBootstrap, readBootstrapFiles, toRulesFiles } from '../plugins/operatorHooks/bootstrapFiles.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { Session } from '../sessions/session.ts';
import { labelOf, type WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';

export interface PromptPartsInput {
  readonly host: Pick<Host, 'clock' | 'platform'>;
  /** Asked at each turn. */
  readonly events: () => InternalEvents;
  readonly texts: TextCache;
  readonly nested: NestedRules;
  readonly skills: SkillCatalog;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly state: () => {
    readonly folders: readonly string[];
    readonly isTrusted: boolean;
    /** The user's own `agent.instructions`. */
    readonly instructions: string;
  };
  /** Who answers in a session, and the workspace folder that it works in. */
  readonly agentOf: (session: Session) => {
    readonly id: string;
    readonly name: string;
    readonly instructions: string;
    readonly folder: string | undefined;
  };
}

/** What a turn's system prompt is made of. `attached` are the absolute paths of files and folders that the user attached to it. */
export type PromptParts = (session: Session, attached?: readonly string[]) => Promise<readonly PromptPart[]>;

/** Gathers what the parts are made of; in a window that is not trusted nothing of the workspace. */
export function createPromptParts(input: PromptPartsInput): PromptParts {
  const { host, events, texts, nested, skills, report, state } = input;

  const readBootstrap = async (
    session: Session,
    layout: WorkspaceLayout,
    folder: string,
  ): Promise<readonly RulesFile[]> => {
    const { files, problems } = await readBootstrapFiles(texts, folder);
    const ids = { sessionKey: session.key, sessionId: session.id, agentId: session.agentId };
    const applied = await applyBootstrap(events(), { ...ids, workspaceDir: folder, files });
    [...problems, ...applied.diagnostics].forEach(report);
    return toRulesFiles(applied.files, folder, (name) =>
      layout.roots.length > 1 ? `${basename(folder)}/${name}` : name,
    );
  };

  /** Those of the agent's own folder first, as hooks left them. */
  const readRules = async (
    session: Session,
    folders: readonly string[],
    attached: readonly string[],
  ): Promise<readonly RulesFile[]> => {
    const layout = { roots: folders, platform: host.platform };
    const [own, ...others] = folders;
    if (own === undefined) return [];
    const rest = await Promise.all([
      readRootRules(texts, layout, own, rootRulesNames.slice(1)),
      ...others.map((folder) => readRootRules(texts, layout, folder)),
    ]);
    rest.flatMap(({ problems }) => problems).forEach(report);
    const bootstrap = await readBootstrap(session, layout, own);
    const deeper = await nested.attach(session.id, attached);
    return leaveOutCopies([
      ...inFolder(layout, own, bootstrap),
      ...rest.flatMap(({ files }) => files),
      ...deeper,
    ]);
  };

  return async (session, attached = []) => {
    const { folders, isTrusted, instructions } = state();
    const { folder, ...agent } = input.agentOf(session);
    const ordered = folder === undefined ? folders : [folder, ...folders.filter((each) => each !== folder)];
    noteCompaction(nested, session);
    const counts = isTrusted && ordered.length > 0;
    const [rules, found] = await Promise.all([
      counts ? readRules(session, ordered, attached) : [],
      skills.list(),
    ]);
    found.diagnostics.forEach(report);
    return planPromptParts({
      folders: ordered,
      platform: host.platform,
      date: new Date(host.clock.now()),
      isReadOnly: !isTrusted,
      rules,
      ...(counts ? { rulesMark: nested.mark(session.id) } : {}),
      skills: found.skills,
      agent,
      instructions,
    });
  };
}

/** With several workspace folders, rules of one hold there only. */
function inFolder(layout: WorkspaceLayout, root: string, files: readonly RulesFile[]): readonly RulesFile[] {
  if (layout.roots.length < 2) return files;
  const appliesTo = `${labelOf(layout, { root, segments: [] })}/`;
  return files.map((file) => ({ ...file, appliesTo }));
}

/** What results told before a compaction may be gone from the conversation. */
function noteCompaction(nested: NestedRules, session: Session): void {
  const last = session.entries().findLast((entry) => entry.type === 'compaction');
  if (last !== undefined) nested.compacted(session.id, last.id);
}
