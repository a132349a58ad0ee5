/** Who chose a model, the strongest first. */
export type ModelSource = 'request' | 'session' | 'binding' | 'agent' | 'config';

/** A model by `provider/model` and who chose it. */
export interface ResolvedModel {
  readonly model: string;
  readonly source: ModelSource;
}

/** What was said in each place; undefined leaves it to the next. */
export interface AgentModelInput {
  /** Of this very request: the editor's picker, `--model`, a tool's parameter. */
  readonly request?: string | undefined;
  readonly session?: string | undefined;
  readonly binding?: string | undefined;
  /** `agents.<id>.model`. */
  readonly agent?: string | undefined;
  /** `model` of the config. */
  readonly config?: string | undefined;
}

const order: readonly ModelSource[] = ['request', 'session', 'binding', 'agent', 'config'];

/** Request before session before binding before agent before the config's default; undefined where nobody chose one. Pure. */
export function resolveAgentModel(input: AgentModelInput): ResolvedModel | undefined {
  for (const source of order) {
    const model = input[source];
    if (model !== undefined) return { model, source };
  }
  return undefined;
}
