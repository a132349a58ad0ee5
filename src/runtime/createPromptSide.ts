import { buildPromptReport } from '../agent/prompt/buildPromptReport.ts';
import { createPromptReports } from '../agent/prompt/createPromptReports.ts';
import { createTextCache } from '../agent/prompt/createTextCache.ts';
import { createNestedRules, type NestedRules } from '../agent/prompt/rules/createNestedRules.ts';
import { createSkillCatalog } from '../agent/skills/createSkillCatalog.ts';
import { createSkillFiles } from '../agent/skills/createSkillFiles.ts';
import { createSkillTool } from '../agent/skills/createSkillTool.ts';
import type { AgentFile } from '../config/agentFile/agentFile.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { AgentEntry } from '../config/sections/agentsSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ModelInfo } from '../contracts/model.ts';
import type { PromptReport } from '../contracts/promptReport.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Session } from '../sessions/session.ts';
import type { ToolCatalog } from '../tools/catalog.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { maxResultChars } from '../tools/pipeline/capResult.ts';
import { createPromptParts, type PromptParts } from './createPromptParts.ts';
import { agentFileParts } from '../dexto/agentFileParts.ts';
import type { RuntimeInput } from './runtime.ts';

export interface PromptSideParts {
  readonly input: RuntimeInput;
  readonly layout: () => WorkspaceLayout;
  readonly isTrusted: () => boolean;
  readonly config: () => PincerConfig;
  readonly plugins: () => Pick<PluginManager, 'skillFolders'>;
  readonly events: () => InternalEvents;
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
      plugins: given.plugins().skillFolders(),
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
    state: () => ({
      folders: layout().roots,
      isTrusted: isTrusted(),
      instructions: config().agent.instructions,
    }),
    agentOf: (session) => ({ ...given.agentOf(session), folder: given.folderOf(session) }),
  });
  const said = { texts, clock: host.clock, folders: () => layout().roots, report: given.report };
  const parts: PromptParts = async (session, attached) => {
    const file = given.agentFile();
    const ours = await own(session, attached);
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
        parts: await parts(session),
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
