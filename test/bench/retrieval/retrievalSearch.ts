/** A search over the documents of one set. */
export interface RetrievalSearch {
  readonly name: string;
  /** Ids of documents, best first, each once; as many as are known, ten at least where there are ten. */
  search(query: string): Promise<readonly string[]>;
  close(): Promise<void>;
}
