import { chatParticipant, participantCommands } from '../ids.ts';
import { text } from './text.ts';

/** `contributes.chatParticipants`. */
export const chatParticipantContributions = [
  {
    id: chatParticipant,
    name: 'parley',
    fullName: text('participant.name', 'Parley'),
    description: text('participant.description', 'Runs your tools'),
    isSticky: true,
    commands: [
      { name: participantCommands.tools, description: text('participant.tools', 'List the tools') },
      {
        name: participantCommands.runs,
        description: text('participant.runs', 'List the calls of this window'),
      },
      {
        name: participantCommands.show,
        description: text('participant.show', 'Show the question that is waiting for your answer'),
      },
      {
        name: participantCommands.run,
        description: text(
          'participant.run',
          'Run a tool: its name, and its task in words or its parameters as JSON. The name alone opens its form',
        ),
      },
    ],
  },
];
