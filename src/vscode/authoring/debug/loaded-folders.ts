import { ensure } from 'effection';
import type { FolderSnapshot } from '../../../isolation/host-side/realms/debugged-tool.ts';
import type { UseRealm } from '../../../workspace/load/tool-realm.ts';

/** What the folders of the window have loaded last: what is debugged is built already. */
export interface LoadedFolders {
  list(): Iterable<FolderSnapshot>;
  /** The same realms, whose loads are remembered here for as long as they live. */
  watch(useRealm: UseRealm): UseRealm;
}

/** Makes the list of loaded folders; it is empty. */
export function createLoadedFolders(): LoadedFolders {
  const folders = new Map<object, FolderSnapshot>();
  return {
    list: () => folders.values(),
    watch: (useRealm) =>
      function* (options) {
        const realm = yield* useRealm(options);
        yield* ensure(() => void folders.delete(realm));
        return {
          *load(input) {
            const loaded = yield* realm.load(input);
            folders.set(realm, { input, options, loaded });
            return loaded;
          },
        };
      },
  };
}
