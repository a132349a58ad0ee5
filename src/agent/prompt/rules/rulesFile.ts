/** A file of the workspace that tells agents how to work in it. */
export interface RulesFile {
  /** As people and the model read it: relative to its workspace folder. */
  readonly label: string;
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  /** The folder it holds for, as a label that ends with a slash; absent where it holds for the whole workspace. */
  readonly appliesTo?: string;
  readonly note?: string;
}
