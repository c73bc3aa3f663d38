import { commands, walkthrough } from '../ids.ts';
import { text } from './text.ts';

/** `contributes.walkthroughs`. */
export const walkthroughContributions = [
  {
    id: walkthrough,
    title: text('walkthrough.title', 'Get Started with Parley'),
    description: text(
      'walkthrough.description',
      'Tools that can ask you, and ask the model, while they run.',
    ),
    icon: 'media/icon.png',
    steps: [
      {
        id: 'run',
        title: text('walkthrough.run.title', 'Run a tool'),
        description: text(
          'walkthrough.run.description',
          `Pick a tool, fill in its parameters, answer its questions in the run panel.\n[Run Tool…](command:${commands.runTool})`,
        ),
        media: { markdown: 'media/walkthrough/run.md' },
        completionEvents: [`onCommand:${commands.runTool}`],
      },
      {
        id: 'model',
        title: text('walkthrough.model.title', 'Choose the model that tools ask'),
        description: text(
          'walkthrough.model.description',
          `A tool may ask a language model. Parley uses the models of this editor.\n[Choose Sampling Model…](command:${commands.chooseSamplingModel})`,
        ),
        media: { markdown: 'media/walkthrough/model.md' },
        completionEvents: [
          `onCommand:${commands.chooseSamplingModel}`,
          'onSettingChanged:parley.sampling.model',
        ],
      },
      {
        id: 'write',
        title: text('walkthrough.write.title', 'Write your own'),
        description: text(
          'walkthrough.write.description',
          `A tool is one straight-line generator in the folder .parley/tools. It is reloaded on save.\n[New Tool…](command:${commands.newTool})`,
        ),
        media: { markdown: 'media/walkthrough/write.md' },
        completionEvents: [`onCommand:${commands.newTool}`],
      },
    ],
  },
];
