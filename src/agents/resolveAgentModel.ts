/** Who chose a model, the strongest first. */
type ModelSource = 'session' | 'binding' | 'agent' | 'config';

/** A model by `provider/model` and who chose it. */
export interface ResolvedModel {
  readonly model: string;
  readonly source: ModelSource;
}

/** What was said in each place; undefined leaves it to the next. */
interface AgentModelInput {
  readonly session?: string | undefined;
  readonly binding?: string | undefined;
  /** `agents.<id>.model`. */
  readonly agent?: string | undefined;
  /** `model` of the config. */
  readonly config?: string | undefined;
}

const order: readonly ModelSource[] = ['session', 'binding', 'agent', 'config'];

/**
 * Session before binding before agent before the config's default; undefined where nobody chose one. What a request names itself,
 * by the editor's picker or `--model`, counts before all of it. Pure.
 */
export function resolveAgentModel(input: AgentModelInput): ResolvedModel | undefined {
  for (const source of order) {
    const model = input[source];
    if (model !== undefined) return { model, source };
  }
  return undefined;
}
