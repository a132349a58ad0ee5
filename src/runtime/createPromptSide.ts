import { basename } from 'node:path';
import { createTextCache, type TextCache } from '../agent/prompt/createTextCache.ts';
import { planPromptParts } from '../agent/prompt/planPromptParts.ts';
import { buildPromptReport, createPromptReports } from '../agent/prompt/buildPromptReport.ts';
import { leaveOutCopies } from '../agent/prompt/rules/leaveOutCopies.ts';
import { createNestedRules, type NestedRules } from '../agent/prompt/rules/nestedRules.ts';
import { readRootRules, rootRulesNames } from '../agent/prompt/rules/readRootRules.ts';
import type { RulesFile } from '../agent/prompt/rules/rulesFile.ts';
import { createSkillCatalog, type SkillCatalog } from '../agent/skills/createSkillCatalog.ts';
import { createSkillFiles } from '../agent/skills/createSkillFiles.ts';
import { createSkillTool } from '../agent/skills/createSkillTool.ts';
import type { AgentFile } from '../dexto/agentFile/agentFile.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { AgentEntry } from '../config/sections/agentsSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { PromptReport, PromptPart } from '../contracts/promptReport.ts';
import type { AgentTool } from '../contracts/tool.ts';
import { agentFileParts } from '../dexto/agentFileParts.ts';
import type { Host } from '../host/ports.ts';
import { applyBootstrap, readBootstrapFiles, toRulesFiles } from '../plugins/operatorHooks/bootstrapFiles.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { MemoryPrompt, MemoryPromptRequest } from '../plugins/providers/memoryCapability.ts';
import type { PluginSkillFolder } from '../plugins/pluginManager.ts';
import type { Session } from '../sessions/session.ts';
import type { ToolCatalog } from '../tools/catalog.ts';
import { type WorkspaceLayout, labelOf } from '../tools/paths/workspaceLayout.ts';
import { maxResultChars } from '../tools/pipeline/toolResult.ts';
import type { RuntimeInput } from './runtime.ts';

interface PromptSideParts {
  readonly input: RuntimeInput;
  readonly layout: () => WorkspaceLayout;
  readonly isTrusted: () => boolean;
  readonly config: () => PincerConfig;
  readonly skillFolders: () => readonly PluginSkillFolder[];
  readonly memoryPrompts: (request: MemoryPromptRequest) => Promise<readonly MemoryPrompt[]>;
  readonly events: InternalEvents;
  readonly agentOf: (session: Session) => AgentEntry;
  readonly folderOf: (session: Session) => string | undefined;
  /** The agent file that counts; its texts follow our own. */
  readonly agentFile: () => AgentFile | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** What goes into a prompt beside the conversation, and what is known of the last one. */
export interface PromptSide {
  readonly parts: PromptParts;
  /** Rules of deeper folders. */
  readonly nested: NestedRules;
  readonly skillTool: AgentTool;
  readonly reports: ReturnType<typeof createPromptReports>;
  /** What a model would get in a turn of this session; plugins were not asked. */
  preview(session: Session, model: ModelInfo, catalog: ToolCatalog): Promise<PromptReport>;
  /** The session is gone. */
  forget(sessionId: string): void;
}

export function createPromptSide(given: PromptSideParts): PromptSide {
  const { input, layout, isTrusted, config } = given;
  const { host } = input;
  const texts = createTextCache(host);
  const nested = createNestedRules({
    texts,
    layout,
    isTrusted,
    newMark: () => crypto.randomUUID().slice(0, 8),
  });
  const skills = createSkillCatalog({
    fs: host.fs,
    platform: host.platform,
    state: () => ({
      layout: layout(),
      isTrusted: isTrusted(),
      home: input.home,
      userHome: host.userHome,
      configured: config().agent.skills.folders,
      plugins: given.skillFolders(),
      isEnabled: config().agent.skills.enabled,
    }),
  });
  const reports = createPromptReports();
  const own = createPromptParts({
    host,
    events: given.events,
    texts,
    nested,
    skills,
    report: given.report,
    memoryPrompts: given.memoryPrompts,
    state: () => ({
      folders: layout().roots,
      isTrusted: isTrusted(),
      instructions: config().agent.instructions,
    }),
    agentOf: (session) => ({ ...given.agentOf(session), folder: given.folderOf(session) }),
  });
  const said = { texts, clock: host.clock, folders: () => layout().roots, report: given.report };
  const parts: PromptParts = async (session, facts) => {
    const file = given.agentFile();
    const ours = await own(session, facts);
    return file === undefined ? ours : [...ours, ...(await agentFileParts(said, file))];
  };
  return {
    parts,
    nested,
    skillTool: createSkillTool({
      skills,
      files: createSkillFiles(host.fs, host.platform),
      layout,
      maxResultChars,
    }),
    reports,
    async preview(session, model, catalog) {
      return buildPromptReport({
        runId: '',
        sessionId: session.id,
        model,
        at: host.clock.now(),
        parts: await parts(session, { toolNames: () => catalog.tools().map(({ name }) => name) }),
        tools: catalog.tools(),
        messages: session.messages(),
      });
    },
    forget(sessionId) {
      reports.forget(sessionId);
      nested.forget(sessionId);
    },
  };
}

interface PromptPartsInput {
  readonly host: Pick<Host, 'clock' | 'platform'>;
  /** Asked at each turn. */
  readonly events: InternalEvents;
  readonly texts: TextCache;
  readonly nested: NestedRules;
  readonly skills: SkillCatalog;
  readonly report: (diagnostic: Diagnostic) => void;
  /** What the plugin in the memory slot adds to prompts, and others beside it; absent, there are no plugins. */
  readonly memoryPrompts?: (request: MemoryPromptRequest) => Promise<readonly MemoryPrompt[]>;
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

/** What a turn's system prompt is made of. */
type PromptParts = (session: Session, facts?: PromptFacts) => Promise<readonly PromptPart[]>;

/** What is known of the turn that a prompt is for. */
interface PromptFacts {
  /** Absolute paths of the files and folders that the user attached; absent, none. */
  readonly attached?: readonly string[] | undefined;
  /** The tools that the model will have; asked at most once. Absent, none. */
  readonly toolNames?: () => readonly string[];
}

/** Gathers what the parts are made of; in a window that is not trusted nothing of the workspace. */
export function createPromptParts(input: PromptPartsInput): PromptParts {
  const { host, events, texts, nested, skills, report, state } = input;

  /** The bootstrap files of a folder, as hooks left them. */
  const bootstrapOf = async (
    session: Session,
    layout: WorkspaceLayout,
    folder: string,
    { files, problems }: Awaited<ReturnType<typeof readBootstrapFiles>>,
  ): Promise<readonly RulesFile[]> => {
    const ids = { sessionKey: session.key, sessionId: session.id, agentId: session.agentId };
    const applied = await applyBootstrap(events, { ...ids, workspaceDir: folder, files });
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
    const [read, ...rest] = await Promise.all([
      readBootstrapFiles(texts, own),
      readRootRules(texts, layout, own, rootRulesNames.slice(1)),
      ...others.map((folder) => readRootRules(texts, layout, folder)),
    ]);
    rest.flatMap(({ problems }) => problems).forEach(report);
    const bootstrap = await bootstrapOf(session, layout, own, read);
    const deeper = await nested.attach(session.id, attached);
    return leaveOutCopies([
      ...inFolder(layout, own, bootstrap),
      ...rest.flatMap(({ files }) => files),
      ...deeper,
    ]);
  };

  /** Started agents get none (upstream). */
  const memoryOf = async (
    { header, agentId, key: sessionKey }: Session,
    { toolNames = () => [] }: PromptFacts,
  ): Promise<readonly MemoryPrompt[]> => {
    if (header.kind === 'subagent' || input.memoryPrompts === undefined) return [];
    return await input.memoryPrompts({ agentId, sessionKey, toolNames });
  };

  return async (session, facts = {}) => {
    const { attached = [] } = facts;
    const { folders, isTrusted, instructions } = state();
    const { folder, ...agent } = input.agentOf(session);
    const ordered = folder === undefined ? folders : [folder, ...folders.filter((each) => each !== folder)];
    noteCompaction(nested, session);
    const counts = isTrusted && ordered.length > 0;
    const [rules, found, memory] = await Promise.all([
      counts ? readRules(session, ordered, attached) : [],
      skills.list(),
      memoryOf(session, facts),
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
      memory,
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
