import { AppRenderer } from '@mcp-ui/client';
import { createRoot, type Root } from 'react-dom/client';
import type { GivenApp } from './bridge-page.ts';

/** Where the sandbox of these pages is; the test answers for it. */
const sandbox = { url: new URL('http://sandbox.test/') };

let root: Root | undefined;
let shown: GivenApp | undefined;

/** A host's React component shows what it is given. */
function draw(more: { toolInput?: Record<string, unknown>; toolResult?: never } = {}): void {
  if (!shown) return;
  const { html, theme } = shown;
  root?.render(
    <div style={{ width: 250 }}>
      <AppRenderer
        toolName="tool"
        html={html}
        sandbox={sandbox}
        hostInfo={HOST}
        hostCapabilities={CAN}
        hostContext={CONTEXTS[theme]}
        onCallTool={(params) => window.callTool(params)}
        onMessage={async (params) => {
          await window.told('message', params);
          return {};
        }}
        onFallbackRequest={async ({ method, params }) => {
          if (method === 'ui/update-model-context') await window.told('context', params);
          return {};
        }}
        {...more}
      />
    </div>,
  );
}

const HOST = { name: 'renderer', version: '1' };
const CAN = { serverTools: {}, updateModelContext: { text: {} }, message: { text: {} } };
const CONTEXTS = {
  light: { theme: 'light', displayMode: 'inline' },
  dark: { theme: 'dark', displayMode: 'inline' },
} as const;

window.openApp = async (app) => {
  root?.unmount();
  document.body.replaceChildren();
  document.documentElement.style.colorScheme = app.theme;
  root = createRoot(document.body.appendChild(document.createElement('div')));
  shown = app;
  draw(app.late ? {} : { toolInput: app.input });
};

window.wearApp = (theme) => {
  if (shown) shown = { ...shown, theme };
  document.documentElement.style.colorScheme = theme;
  draw(shown ? { toolInput: shown.input } : {});
};

window.endApp = async (result) => {
  if (shown) draw({ toolInput: shown.input, toolResult: result as never });
};
