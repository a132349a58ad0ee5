/** A file as it stands in the editor. */
export interface OpenDocument {
  /** Absolute path, as tools name it. */
  readonly path: string;
  /** Without a byte order mark: the editor keeps that as part of the encoding. */
  readonly text: string;
  readonly isDirty: boolean;
  /** True where the file is stored with one. */
  readonly hasByteOrderMark: boolean;
  /** Runs what saving runs, formatters too; false where the file could not be written. */
  save(): Promise<boolean>;
}

/** The text that a document is to have. */
export interface DocumentText {
  readonly document: OpenDocument;
  readonly text: string;
}

/** The documents of the editor; a thin layer over its API. */
export interface OpenDocuments {
  find(path: string): OpenDocument | undefined;
  /** Paths of files whose text in the editor is not the disk's. */
  unsaved(): readonly string[];
  /** Changes all texts in one step, which Undo takes back; false where the editor refused all of them. */
  setTexts(texts: readonly DocumentText[]): Promise<boolean>;
  /** Runs `work`; until it has settled, saving these paths is the agent's doing. */
  asAgent<T>(paths: readonly string[], work: () => Promise<T>): Promise<T>;
}
