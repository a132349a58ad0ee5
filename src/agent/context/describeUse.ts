import type { ContextUse, SessionUse, UsageSum } from '../../contracts/usage.ts';

/** The words around the numbers; a front end may bring its own. */
export interface UseTexts {
  readonly context: (tokens: string, window: string) => string;
  readonly tokens: (input: string, output: string) => string;
  readonly estimated: (text: string) => string;
  readonly atLeast: (cost: string) => string;
  readonly costUnknown: string;
}

/** English, as the command line and `/status` have it. */
export const englishUseTexts: UseTexts = {
  context: (tokens, window) => `${tokens} of ${window} tokens`,
  tokens: (input, output) => `${input} tokens in, ${output} out`,
  estimated: (text) => `${text} (estimated)`,
  atLeast: (cost) => `at least ${cost}`,
  costUnknown: 'cost unknown',
};

/** What people read of a session's numbers, each piece on its own. */
interface DescribedUse {
  /** `12k of 128k tokens (estimated)`. */
  readonly context: string;
  /** `3.4k tokens in, 210 out, $0.042`; undefined before the first turn. */
  readonly turn: string | undefined;
  readonly session: string;
}

/** The numbers of a session as texts. Pure. */
export function describeUse(use: SessionUse, texts: UseTexts = englishUseTexts): DescribedUse {
  return {
    context: describeContext(use.context, texts),
    turn: use.turn === undefined ? undefined : describeSum(use.turn, texts),
    session: describeSum(use.session, texts),
  };
}

/** `12k of 128k tokens`, `(estimated)` where no server counted them. Pure. */
export function describeContext(context: ContextUse, texts: UseTexts = englishUseTexts): string {
  const said = texts.context(formatTokens(context.tokens), formatTokens(context.window));
  return context.isEstimated ? texts.estimated(said) : said;
}

/** `3.4k tokens in, 210 out, $0.042`. Pure. */
export function describeSum(sum: UsageSum, texts: UseTexts = englishUseTexts): string {
  const said = texts.tokens(formatTokens(sum.input), formatTokens(sum.output));
  return `${sum.isEstimated ? texts.estimated(said) : said}, ${describeCost(sum, texts)}`;
}

/** `$0.042`, `at least $0.042` where some calls have no known price, `cost unknown` where none has. Pure. */
export function describeCost(
  sum: Pick<UsageSum, 'cost' | 'isCostPartial'>,
  texts: UseTexts = englishUseTexts,
): string {
  if (!sum.isCostPartial) return formatCost(sum.cost);
  return sum.cost === 0 ? texts.costUnknown : texts.atLeast(formatCost(sum.cost));
}

/** `950`, `3.4k`, `128k`, `1.3M`. Pure. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  if (tokens < 999_500) return `${shortNumber(tokens / 1_000)}k`;
  return `${shortNumber(tokens / 1_000_000)}M`;
}

/** US dollars: two figures of what is below one, cents from there on. Pure. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return dollars < 0.0001 ? 'less than $0.0001' : `$${String(Number(dollars.toPrecision(2)))}`;
}

/** One decimal below 10, none above. */
function shortNumber(value: number): string {
  return String(value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value));
}
