import type { ApprovalRequest } from '../contracts/approval.ts';
import { showHiddenLine } from './showHidden.ts';

/**
 * What a question is about and its title does not say: its commands, hosts or files, as they are. Undefined where the title says all of
 * it, or only the parameters do. `place`: whether a connection is named by its host or by its whole address. Pure.
 */
export function askedAbout(
  { title, edits, effects = [] }: Pick<ApprovalRequest, 'title' | 'edits' | 'effects'>,
  place: 'host' | 'url' = 'host',
): string | undefined {
  const all = [
    ...effects.map((effect) => (effect.kind === 'execute' ? effect.command : effect[place])),
    ...edits.map(({ label }) => label),
  ];
  return all.every((each) => title.includes(showHiddenLine(each))) ? undefined : all.join(', ');
}
