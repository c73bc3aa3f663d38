import { suspend } from 'effection';
import { createMcpResource, createMcpResourceTemplate } from 'parley-mcp';
import { PNG } from './shared/samples.ts';

export const staticText = createMcpResource('test://static-text', 'A text that never changes')
  .about({ mimeType: 'text/plain' })
  .read(function* () {
    return 'This is the content of the static text resource.';
  });

export const staticBinary = createMcpResource('test://static-binary', 'An image that never changes')
  .about({ mimeType: 'image/png' })
  .read(function* () {
    return Buffer.from(PNG, 'base64');
  });

export const watched = createMcpResource('test://watched-resource', 'A text that is watched')
  .about({ mimeType: 'text/plain' })
  .watch(() => suspend())
  .read(function* () {
    return 'watched';
  });

export const template = createMcpResourceTemplate('test://template/{id}/data', 'Data by id')
  .about({ name: 'template-data', mimeType: 'application/json' })
  .completes({ id: ['123', '456'] })
  .read(function* ({ id }) {
    return JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  });
