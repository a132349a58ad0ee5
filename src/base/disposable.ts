/** Something with a lifetime. Disposing twice does nothing the second time. */
export interface Disposable {
  dispose(): void;
}

/** A disposable from a function that is called at most once. */
export function toDisposable(release: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      release();
    },
  };
}

/** Owns disposables and releases them in reverse order; what is added after `dispose` is released at once. */
export interface DisposableStore extends Disposable {
  add<T extends Disposable>(item: T): T;
}

export function createDisposableStore(): DisposableStore {
  const items: Disposable[] = [];
  let disposed = false;
  return {
    add(item) {
      if (disposed) item.dispose();
      else items.push(item);
      return item;
    },
    dispose() {
      disposed = true;
      for (const item of items.splice(0).reverse()) item.dispose();
    },
  };
}
