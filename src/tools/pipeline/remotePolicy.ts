// Threat: somebody far away has the agent change something, or send away what it reads. So a turn that a message of a channel began reads
// and answers, whatever modes and earlier answers allow elsewhere: what may change something is refused, or, for a sender that is the
// user, asked about each time.
import type { HostVerdict } from '../../approvals/decideAsk.ts';
import type { AgentTool } from '../../contracts/tool.ts';

/** What holds for the calls of a turn that nobody at the machine began. */
export interface RemotePolicy {
  /** `read`: what may change something is refused. `ask`: it is asked about, and answered once at a time. */
  readonly kind: 'read' | 'ask';
  /** Who began the turn: `a sender on Telegram`. */
  readonly who: string;
}

/** Why a call is refused before anything else is asked; the model reads it. Pure. */
export function refusedForRemote(policy: RemotePolicy | undefined, tool: AgentTool): string | undefined {
  if (policy?.kind !== 'read' || !tool.mayWrite) return undefined;
  return `${policy.who} began this turn, and such turns read and answer. "${tool.name}" may change something, so it is not run. The owner of the workspace can do it there`;
}

/** The host's verdict of a call under such a policy. Pure. */
export function applyRemotePolicy(
  policy: RemotePolicy | undefined,
  tool: AgentTool,
  verdict: HostVerdict,
): HostVerdict {
  if (policy === undefined || verdict.kind === 'refused') return verdict;
  if (policy.kind === 'read')
    return verdict.kind === 'free'
      ? verdict
      : {
          kind: 'refused',
          reason: `${policy.who} began this turn, and nobody is asked for them: ${verdict.ask.title}`,
        };
  if (verdict.kind === 'free' && !tool.mayWrite) return verdict;
  const { title, description } =
    verdict.kind === 'ask'
      ? verdict.ask
      : { title: `Call ${tool.name}`, description: 'it may change something' };
  // Critical: no mode, no earlier answer and no "always" counts for it.
  return {
    kind: 'ask',
    ask: {
      asker: 'host',
      title,
      description: `${policy.who} asked for it: ${description}`,
      severity: 'critical',
    },
  };
}
