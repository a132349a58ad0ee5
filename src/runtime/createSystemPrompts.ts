import { buildSystemPrompt } from '../agent/prompt/buildSystemPrompt.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Host } from '../host/ports.ts';
import {
  applyBootstrap,
  bootstrapText,
  readBootstrapFiles,
} from '../plugins/operatorHooks/bootstrapFiles.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { Session } from '../sessions/session.ts';

export interface SystemPromptParts {
  readonly host: Host;
  readonly events: InternalEvents;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly state: () => {
    readonly folders: readonly string[];
    readonly isTrusted: boolean;
    /** The user's own `agent.instructions`. */
    readonly instructions: string;
  };
}

/** Gives the system prompt of a turn; in a trusted window with the workspace's own instructions, as hooks left them. */
export function createSystemPrompts({
  host,
  events,
  report,
  state,
}: SystemPromptParts): (session: Session) => Promise<string> {
  const readWorkspace = async (session: Session, workspaceDir: string): Promise<string> => {
    const files = await readBootstrapFiles(host.fs, workspaceDir);
    const ids = { sessionKey: session.key, sessionId: session.id };
    const applied = await applyBootstrap(events, { ...ids, workspaceDir, files });
    applied.diagnostics.forEach(report);
    return bootstrapText(applied.files);
  };
  return async (session) => {
    const { folders, isTrusted, instructions } = state();
    const [first] = folders;
    return buildSystemPrompt({
      folders,
      platform: host.platform,
      date: new Date(host.clock.now()),
      instructions,
      isReadOnly: !isTrusted,
      workspaceText: isTrusted && first !== undefined ? await readWorkspace(session, first) : '',
    });
  };
}
