/** A program in a thread of its own. Messages are what `structuredClone` can copy. */
export interface WorkerThread {
  post(message: unknown): void;
  /** Messages that come before the first listener wait for it. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once when the thread has ended; with the error where it failed. */
  onEnd(listener: (error: Error | undefined) => void): void;
  /** True while an answer is awaited: then the process waits for the thread, too. At first it does not. */
  holdProcess(isHeld: boolean): void;
  /** Ends the thread wherever it is; resolves when it has ended. Once is enough. */
  terminate(): Promise<void>;
}

export interface Workers {
  /** Starts a program by the absolute path of its file. What goes wrong is told through `onEnd`. */
  start(file: string): WorkerThread;
}
