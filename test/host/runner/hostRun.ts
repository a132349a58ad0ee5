/** What both hosts need to know to run the suite. */
export interface HostRun {
  /** The extension under test. */
  readonly extensionDir: string;
  /** The file whose `run` VS Code calls. */
  readonly suite: string;
  /** The folder that VS Code opens, a temporary one. */
  readonly workspace: string;
  /** PINCER_HOME. */
  readonly home: string;
  /** The file that receives the results. */
  readonly results: string;
}
