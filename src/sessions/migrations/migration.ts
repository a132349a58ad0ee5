export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Takes lines of one version of the transcript to the next one. It happens while reading; the file stays as it is (docs/sessions.md).
 * Input may be damaged: what a step can't make sense of it passes on, and the reader of the current version judges it.
 */
export interface Migration {
  readonly from: number;
  /** The header, with `version` raised by one. */
  header(header: JsonRecord): JsonRecord;
  /** Absent where lines stayed the same. */
  entry?(entry: JsonRecord): JsonRecord;
}
