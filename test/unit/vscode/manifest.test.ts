import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands, views, walkthrough } from '#src/vscode/ids.ts';
import { keybindingContributions } from '#src/vscode/manifest/keybindings.ts';
import { createBundle, textsOf } from '#src/vscode/manifest/l10n.ts';
import { createManifest, mergeManifest } from '#src/vscode/manifest/manifest.ts';
import { publicationFields } from '#src/vscode/manifest/publication.ts';
import { extractTexts, text } from '#src/vscode/manifest/text.ts';
import { textSources } from '#src/vscode/manifest/text-sources.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) =>
  JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Record<string, unknown>;

describe('package.json', () => {
  it('is up to date: run `node src/vscode/generate-manifest.ts` when this fails', () => {
    const packageJson = read('package.json');
    expect(packageJson).toEqual(mergeManifest(packageJson, createManifest()));
    expect(read('package.nls.json')).toEqual(createManifest().nls);
  });

  it('puts the tools above the calls', () => {
    const inOrder = [{ id: views.tools }, { id: views.calls }];
    expect(createManifest().fields).toMatchObject({ contributes: { views: { parley: inOrder } } });
  });

  it('declares every command, once, with a title', () => {
    const contributes = createManifest().fields.contributes as unknown as {
      commands: { command: string; title: string }[];
    };
    expect(contributes.commands.map((entry) => entry.command).sort()).toEqual(Object.values(commands).sort());
  });

  it('mentions no command, view or setting of ours that does not exist', () => {
    const known = new Set<string>([
      ...Object.values(commands),
      ...Object.values(views),
      ...Object.values(views).map((view) => `${view}.focus`),
      walkthrough,
    ]);
    const whole = JSON.stringify(createManifest());
    const mentioned = whole.match(/(?:command:|onCommand:|onView:|view == )parley\.[\w.]+/g) ?? [];
    expect(mentioned.length).toBeGreaterThan(5);
    for (const mention of mentioned) expect(known).toContain(mention.replace(/^.*(?:: ?|== )/, ''));
  });

  it('says nothing of a repository that is not there, and all of one that is, from one place', () => {
    expect(Object.keys(publicationFields({ repository: undefined }))).not.toContain('repository');
    expect(publicationFields({ repository: 'https://example.com/owner/parley' })).toMatchObject({
      repository: { type: 'git', url: 'https://example.com/owner/parley.git' },
      bugs: { url: 'https://example.com/owner/parley/issues' },
      homepage: 'https://example.com/owner/parley#readme',
    });
  });

  it('binds keys to commands of ours only, each key once, with a condition and never with Ctrl+Alt', () => {
    const ids = new Set<string>(Object.values(commands));
    for (const { command, key, when } of keybindingContributions) {
      expect(ids).toContain(command);
      expect(key).not.toMatch(/ctrl\+alt/);
      expect(when).not.toBe('');
    }
    expect(new Set(keybindingContributions.map(({ key }) => key)).size).toBe(keybindingContributions.length);
  });

  it('says of every choice in its settings, and of every part of a rule, what it means', () => {
    interface Schema {
      readonly description?: string;
      readonly enum?: readonly string[];
      readonly enumDescriptions?: readonly string[];
      readonly items?: { readonly properties?: Readonly<Record<string, Schema>> };
    }
    const { configuration } = createManifest().fields.contributes as unknown as {
      configuration: { readonly properties: Readonly<Record<string, Schema>> };
    };
    const settings = Object.entries(configuration.properties);
    for (const [id, setting] of settings) {
      expect(setting.enumDescriptions?.length, id).toBe(setting.enum?.length);
      for (const [name, part] of Object.entries(setting.items?.properties ?? {}))
        expect(part.description ?? part.enumDescriptions, `${id} ${name}`).toBeDefined();
    }
  });

  it("has agents' edits of tool files shown before they are applied", () => {
    expect(createManifest().fields).toMatchObject({
      contributes: {
        configurationDefaults: { 'chat.tools.edits.autoApprove': { '**/.parley/**': false } },
      },
    });
  });

  it('points only at files that are there', () => {
    const paths = JSON.stringify(createManifest().fields).match(/media\/[\w./-]+/g) ?? [];
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) expect(existsSync(new URL(path, root)), path).toBe(true);
  });

  it('never asks for more of the editor than its engine has', () => {
    expect(JSON.stringify(createManifest().fields)).not.toContain('enabledApiProposals');
  });
});

describe('texts', () => {
  it('are taken out by key', () => {
    const texts = new Map<string, string>();
    expect(extractTexts({ a: [text('k', 'English')], b: 1, c: undefined }, texts)).toEqual({
      a: ['%k%'],
      b: 1,
    });
    expect([...texts]).toEqual([['k', 'English']]);
  });

  it('may not share a key', () => {
    expect(() => extractTexts([text('k', 'one'), text('k', 'two')], new Map())).toThrow(
      'two texts for the key k',
    );
  });
});

describe('l10n/bundle.l10n.json', () => {
  it('holds every text of the extension: run `npm run manifest` when this fails', () => {
    const sources = textSources(root);
    expect(read('l10n/bundle.l10n.json')).toEqual(createBundle(sources));
    expect(Object.keys(createBundle(sources)).length).toBeGreaterThan(20);
  });

  it('finds texts on a line of their own, and only those of `t`', () => {
    const source = "vscode.l10n.t(\n  'One {0}', x); t('It\\'s'); const t2 = set('no'); start('no');";
    expect(textsOf(source)).toEqual(['One {0}', "It's"]);
  });
});
