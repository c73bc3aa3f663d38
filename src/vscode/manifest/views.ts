import { commands, viewContainer, views } from '../ids.ts';
import { text } from './text.ts';

/** `contributes.viewsContainers`. */
export const viewContainerContributions = {
  activitybar: [{ id: viewContainer, title: text('container', 'Parley'), icon: 'media/activity-bar.svg' }],
};

/** `contributes.views`: what there is to run first. At an empty start the list of calls is the smaller one. */
export const viewContributions = {
  [viewContainer]: [
    {
      id: views.tools,
      name: text('view.tools', 'Tools'),
      initialSize: 3,
      icon: 'media/activity-bar.svg',
      contextualTitle: text('view.tools.context', 'Parley Tools'),
    },
    {
      id: views.calls,
      name: text('view.calls', 'Calls'),
      initialSize: 2,
      icon: 'media/activity-bar.svg',
      contextualTitle: text('view.calls.context', 'Parley Calls'),
    },
  ],
};

/** `contributes.viewsWelcome`. */
export const welcomeContributions = [
  {
    view: views.calls,
    contents: text(
      'welcome.calls',
      `Calls of Parley tools appear here: yours, Copilot's, and those of other clients.\n[Run Tool…](command:${commands.runTool})\nNew to Parley? [Get started](command:${commands.openWalkthrough})`,
    ),
  },
  {
    view: views.tools,
    contents: text(
      'welcome.tools',
      `No tools yet. Create one in \`.parley/tools\` of this workspace.\n[New Tool…](command:${commands.newTool})\n[Add Example…](command:${commands.addExample})\nNew to Parley? [Get started](command:${commands.openWalkthrough})`,
    ),
    when: 'isWorkspaceTrusted',
  },
  {
    view: views.tools,
    contents: text(
      'welcome.tools.untrusted',
      'Tools of this workspace run code, so they are off in Restricted Mode.\n[Manage Workspace Trust](command:workbench.trust.manage)',
    ),
    when: '!isWorkspaceTrusted',
  },
];
