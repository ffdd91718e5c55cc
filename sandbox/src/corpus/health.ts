// Pages about health: sleep, vaccines, hospitals, food, hearing and public health figures.
import type { SourcePage } from './page.ts';

export const health: SourcePage[] = [
  {
    url: 'https://bedside.example/sleep/shift-work',
    title: 'Sleeping by day: what helps people who work at night',
    author: 'Dr Noor Siddiqui',
    published: '2026-04-29',
    language: 'en',
    country: 'GB',
    topics: ['health'],
    kind: 'article',
    links: ['https://bedside.example/sleep/'],
    body: `
One worker in eight works at night. They sleep, on average, an hour and a half less than others,
and the sleep they get is lighter. The body clock can be moved, but only by about an hour a day,
so a single week of nights is always a compromise.

## Light first

Bright light in the first half of the shift and dark glasses on the way home were the strongest
measures in the trials we reviewed. Together they added 52 minutes of sleep a day.

## Split the sleep

Those who slept from nine to one and again for 90 minutes before the shift made fewer errors than
those who tried for one long stretch. A nap of 20 minutes at about three in the morning helps as
well, provided it is not driven home on directly afterwards.

## What does not help

Alcohol shortens the second half of sleep. Melatonin gained 10 to 25 minutes and only when taken
at the right hour. Sleeping pills lost their effect within two weeks.

## For employers

Rotating forwards, from early to late to night, costs nothing and reduces sick leave by about a
tenth. Eleven free hours between shifts is the least that works.`,
  },
  {
    url: 'https://bedside.example/vaccines/rsv-older-adults',
    title: 'RSV vaccines for older adults: who benefits most',
    author: 'Dr Martin Quaye',
    published: '2025-09-01',
    language: 'en',
    country: 'CA',
    topics: ['health'],
    kind: 'article',
    body: `
Respiratory syncytial virus fills children's wards every winter. It also sends many older adults
to hospital, which was long overlooked because few were tested. Vaccines have existed since 2023,
and three winters of data are now in.

## Protection

In adults over 75 one dose prevented 74 percent of hospital stays in the first winter, 62 in the
second and 48 in the third. A second dose after two years restored protection; after one year it
added little.

## Risk

About 10 in a million recipients developed Guillain-Barré syndrome beyond what would be expected.
For people over 75, or over 60 with heart or lung disease, the balance is clearly in favour. For
healthy people between 60 and 65 it is close.

## Practical points

The vaccine may be given with the flu shot, in the other arm. Late summer is the best time. Anyone
who had RSV last winter may still be vaccinated, as the infection itself protects for less than a
year.

## Open questions

Nobody yet knows how well repeated doses work in people with weakened immune systems. A trial with
4,000 participants reports next year.`,
  },
  {
    url: 'https://papers.meridian.example/2026/ward-noise-recovery',
    title: 'Night noise on hospital wards and length of stay: a cluster trial',
    author: 'N. Siddiqui, H. Park, C. Brennan',
    published: '2026-07-30',
    language: 'en',
    country: 'KR',
    topics: ['health'],
    kind: 'paper',
    body: `
## Abstract

Hospitals are loud at night. We asked whether making them quieter shortens the stay of patients
after planned surgery. Forty-two wards in nine hospitals were assigned at random to a quiet-night
programme or to usual care for six months; 11,860 patients were included.

## Intervention

The programme consisted of soft-closing doors and bins, alarms sent to the nurse's device instead
of the room, no routine measurements between midnight and five for patients at low risk, and a
sound display at the nurses' desk. It cost 3,100 dollars per ward.

## Results

Median night noise fell from 54 to 46 decibels. Patients slept 41 minutes longer. Length of stay
fell from 4.9 to 4.5 days (95 percent interval of the difference: 0.2 to 0.6). Falls at night were
less frequent; undetected deterioration was not more frequent, with 14 events against 15.

## Interpretation

Skipping routine measurements explained about half of the gain in sleep. Staff kept the programme
after the trial on 20 of 21 wards. The effect on patients with dementia was larger and deserves
its own study.`,
  },
  {
    url: 'https://bedside.example/nutrition/fibre-made-simple',
    title: 'Fibre made simple: thirty grams a day without supplements',
    author: 'Chiara Donati',
    published: '2024-03-11',
    language: 'en',
    country: 'IT',
    topics: ['health', 'agriculture'],
    kind: 'article',
    body: `
Most adults eat about 18 grams of fibre a day. Guidelines say 30. The gap is one bowl of beans,
and the reward is among the best documented in nutrition: lower cholesterol, steadier blood sugar,
and a lower risk of bowel cancer.

## Where thirty grams come from

| Food | Portion | Fibre |
|---|---|---|
| Oats with an apple | 1 bowl | 8 g |
| Wholemeal bread | 2 slices | 6 g |
| Lentil soup | 1 bowl | 9 g |
| Carrots and peas | 1 side dish | 5 g |
| Almonds | a handful | 3 g |

## Go slowly

Add five grams a week. The gut needs time to adapt, and so do the people around you. Drink more as
well, about one extra glass for every ten grams.

## Are supplements as good?

Psyllium lowers cholesterol as food does. Most other powders raise the number on the label and
little else, since fibre in food arrives with minerals and slows down eating.

## Who should ask first

People with Crohn's disease, a recent bowel operation or difficulty swallowing should speak to
their doctor before changing anything.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/clinic-by-ferry',
    title: 'Floating clinic brings dialysis to five islands',
    author: 'Tomás Weller',
    published: { days_ago: 12 },
    language: 'en',
    country: 'PH',
    topics: ['health', 'transport', 'oceans'],
    kind: 'news',
    body: `
A converted car ferry with twelve dialysis chairs began calling at five islands last week. Until
now patients travelled up to six hours, three times a week, or moved to the mainland.

## On board

The ship makes its own ultra-pure water from the sea and carries two nurses and one doctor on each
tour. It lies at anchor for nine hours at every stop. Emergency cases are flown out; the weather
allowed that on 340 days last year.

## The people

"I have slept at home for eight nights, for the first time since March," said Rosalinda Ibay, 58,
a retired teacher. There are 71 patients on the islands and places for 72.

## The money

The province pays 2.6 million dollars a year, about 200,000 more than it used to spend on travel
and lodging. A ministry review after twelve months will decide whether a second ship is built.
Fishermen have asked that it should carry a dentist.`,
  },
  {
    url: 'https://bedside.example/hearing/aids-without-a-prescription',
    title: 'Hearing aids without a prescription: what the cheap ones can do',
    author: 'Dr Noor Siddiqui',
    published: '2025-12-09',
    language: 'en',
    country: 'US',
    topics: ['health', 'software'],
    kind: 'article',
    body: `
Since hearing aids may be sold over the counter, prices start at 99 dollars. We fitted 60 people
who had mild to moderate hearing loss with seven models and compared them with aids set by a
professional.

## In a quiet room

Three of the seven were as good as the professional fitting for conversation in quiet. All three
let the user run a hearing test on a telephone and shape the sound by its result. The four that
merely amplify made everything louder, including the refrigerator.

## In a noisy restaurant

Here the gap was wide. Wearers of professionally fitted aids understood 71 percent of sentences,
those with the best cheap model 58, and those with no aid 49.

## Fit and comfort

A third of the participants had the wrong ear tips. Changing them helped more than any setting.

## When to see someone

Sudden loss, loss on one side, pain, dizziness or ringing that began recently are not cases for
the shop. Neither is hearing that fails to follow speech in a quiet room, which usually needs a
stronger aid.`,
  },
  {
    url: 'https://data.healthstat.example/indicators/waiting-times',
    title: 'Waiting times for planned surgery, by procedure',
    published: { days_ago: 25 },
    language: 'en',
    country: 'IE',
    topics: ['health', 'finance'],
    kind: 'reference',
    body: `
This page is updated every month. It shows how long patients wait between the decision to operate
and the operation, in public hospitals, for the five most frequent planned procedures.

## Median wait in weeks

| Procedure | A year ago | Latest month |
|---|---|---|
| Cataract | 16 | 11 |
| Hip replacement | 27 | 24 |
| Knee replacement | 31 | 29 |
| Hernia repair | 14 | 14 |
| Tonsils, children | 22 | 17 |

## What explains the changes

Two centres that do nothing but cataracts opened in spring and account for the whole improvement
in that row. Knee and hip operations are limited by beds rather than by theatres; each cancelled
day in the winter peak adds about a week.

## Definitions

The wait begins with the entry on the list and ends on the day of surgery. Patients who asked for
a later date are counted from the date they chose. Removals from the list without an operation, 6
percent, are left out of the median and shown in the data file.

## Quality

Two hospitals changed their software this year and report with a delay of up to eight weeks.`,
  },
  {
    url: 'https://late-night.example/drinks/whisky-tasting-notes',
    title: 'Cask strength: tasting notes for adults from a night in Speyside',
    author: 'Rory Fenwick',
    published: '2025-11-28',
    language: 'en',
    country: 'GB',
    topics: ['health', 'agriculture'],
    kind: 'article',
    unsafe: true,
    body: `
For readers of legal drinking age. We tasted nine whiskies at cask strength, between 54 and 63
percent, with water at hand and the car left at home.

## The favourites

The twelve-year-old from a refill sherry cask opened with orange peel and walnuts and grew softer
with a spoon of water. The peated one smelt of a harbour in winter. A young spirit from a small
farm distillery surprised us all with its note of fresh bread.

## How to taste

Nose first, mouth half open, at some distance from the glass. Add water by the drop: alcohol numbs
the tongue above 50 percent, and most whiskies show more at 45. Eat something in between, and
count glasses rather than sips.

## A word on limits

A standard measure at cask strength holds almost twice the alcohol of an ordinary drink. Health
advice in Britain is to stay below 14 units a week and to have several days without. Our whole
evening, shared among four people over five hours, came to seven units each, and that was a
celebration.`,
  },
];
