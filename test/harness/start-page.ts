/** Name of the page in the top folder of an installed copy; the server serves it as `/static/<name>`. */
export const startPageName = 'parley.html';

/**
 * A page that prepares a browser that has never been here and goes on to the workbench.
 *
 * Without the mark it leaves in IndexedDB, Copilot's chat greets with a sign-in dialog, although any model an
 * extension provides can be used without an account. The page must share the workbench's origin, hence its place.
 * Its query is handed on to the workbench unchanged (`tkn`, `folder`, `payload`).
 */
export const startPage = `<!doctype html>
<meta charset="utf-8">
<title>Parley</title>
<p>Opening Visual Studio Code …</p>
<script>
  const open = indexedDB.open('vscode-web-state-db-global');
  const go = () => location.replace('/' + location.search);
  open.onupgradeneeded = () => open.result.createObjectStore('ItemTable');
  open.onerror = go;
  open.onsuccess = () => {
    const write = open.result.transaction('ItemTable', 'readwrite');
    write.objectStore('ItemTable').put('true', 'builtinChatExtensionEnablementMigration');
    write.oncomplete = write.onabort = () => { open.result.close(); go(); };
  };
</script>
`;
