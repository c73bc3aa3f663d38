import { commands, walkthrough } from '../ids.ts';
import { text, type WithTexts } from './text.ts';

/** Opens the chat with the participant's name in its input, to be completed. */
const openChat = 'workbench.action.chat.open';

const prompt = encodeURIComponent(JSON.stringify({ query: '@parley /tools', isPartialQuery: true }));

/** `contributes.walkthroughs`: each step is done by doing what it says. */
export const walkthroughContributions: readonly { readonly [key: string]: WithTexts }[] = [
  {
    id: walkthrough,
    title: text('walkthrough.title', 'Get Started with Parley'),
    description: text('walkthrough.description', 'Tools that ask you, and ask the model, while they run.'),
    icon: 'media/icon.png',
    steps: [
      {
        id: 'try',
        title: text('walkthrough.try.title', 'See a tool ask'),
        description: text(
          'walkthrough.try.description',
          `One click: a tool runs, pauses, and asks you. No files and no account needed.\n[Try It](command:${commands.tryOut})`,
        ),
        media: picture(
          'ask',
          text('walkthrough.try.alt', 'A question with three choices and a Submit button in the run panel'),
        ),
        completionEvents: [`onCommand:${commands.tryOut}`],
      },
      {
        id: 'run',
        title: text('walkthrough.run.title', 'Run a tool'),
        description: text(
          'walkthrough.run.description',
          `Choose a tool, enter its parameters, and answer its questions in the run panel.\n[Run Tool…](command:${commands.runTool})`,
        ),
        media: picture(
          'run',
          text('walkthrough.run.alt', 'The list of tools above a run panel that shows a result'),
        ),
        completionEvents: [`onCommand:${commands.runTool}`],
      },
      {
        id: 'chat',
        title: text('walkthrough.chat.title', 'Call a tool from chat'),
        description: text(
          'walkthrough.chat.description',
          `Copilot’s agent has the tools of your workspace, and @parley in the chat runs them. Questions still come to you.\n[Open Chat](command:${openChat}?${prompt})`,
        ),
        media: picture(
          'chat',
          text(
            'walkthrough.chat.alt',
            'A chat in which an agent calls a tool, beside the question that the tool asks',
          ),
        ),
        completionEvents: [`onCommand:${openChat}`],
      },
      {
        id: 'model',
        title: text('walkthrough.model.title', 'Choose the model for tools'),
        description: text(
          'walkthrough.model.description',
          `A tool may ask a language model. Parley uses the models of this editor.\n[Choose Model for Tools…](command:${commands.chooseSamplingModel})`,
        ),
        media: { markdown: 'media/walkthrough/model.md' },
        completionEvents: [
          `onCommand:${commands.chooseSamplingModel}`,
          'onSettingChanged:parley.sampling.model',
        ],
      },
      {
        id: 'example',
        title: text('walkthrough.example.title', 'Add an example'),
        description: text(
          'walkthrough.example.description',
          `Copy a whole tool into your workspace, such as a release, a database migration or a triage of issues: run it, change a line, run it again.\n[Add Example…](command:${commands.addExample})`,
        ),
        media: { markdown: 'media/walkthrough/write.md' },
        completionEvents: [`onCommand:${commands.addExample}`],
      },
      {
        id: 'write',
        title: text('walkthrough.write.title', 'Write your own tool'),
        description: text(
          'walkthrough.write.description',
          `A tool is one function in the folder .parley/tools. It reloads when you save; Run and Debug appear above it.\n[New Tool…](command:${commands.newTool})`,
        ),
        media: { markdown: 'media/walkthrough/write.md' },
        completionEvents: [`onCommand:${commands.newTool}`],
      },
    ],
  },
];

/** A drawing in the colours of the theme. */
function picture(name: string, altText: WithTexts): WithTexts {
  return { svg: `media/walkthrough/${name}.svg`, altText };
}
