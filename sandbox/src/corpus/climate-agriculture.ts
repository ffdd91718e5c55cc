// Pages about climate, weather and farming: measurements, adaptation, soil, crops and prices.
import type { SourcePage } from './page.ts';

export const climateAndAgriculture: SourcePage[] = [
  {
    url: 'https://climateledger.example/data/heat-days-2025',
    title: 'Heat days doubled in thirty years: the 2025 station data',
    author: 'Beatrix Olander',
    published: '2026-03-02',
    language: 'en',
    country: 'GB',
    topics: ['climate', 'health'],
    kind: 'article',
    body: `
A heat day is one on which the thermometer passes 30 degrees. We counted them at 212 European
stations that have not moved since 1990. The median station had 9 heat days a year in the early
nineties and 19 in the five years to 2025.

## Where it rose most

The increase is largest inland and in the south east: Bucharest went from 31 to 62. On the
Atlantic coast it is small. Brest had three heat days a year then and has four now.

## Nights

Nights matter more for health than days. Nights above 20 degrees, in which bodies do not cool
down, rose from 2 to 8 at the median station and from 24 to 57 in Athens.

## How sure are we

We checked for moved instruments, grown trees and new car parks. Removing every station within 200
metres of a new building changes the result by less than half a day. Random errors of single
readings cancel out over so many stations.

## Use the data

All daily values are in one file with a description of every correction. Please tell us about
errors; readers found eleven in last year's edition.`,
  },
  {
    url: 'https://climateledger.example/policy/carbon-border-first-year',
    title: 'The carbon border charge after one year: who paid, who changed',
    author: 'Felix Amsel',
    published: '2026-10-28',
    language: 'en',
    country: 'BE',
    topics: ['climate', 'finance'],
    kind: 'article',
    body: `
Since January importers of steel, cement, aluminium, fertiliser and electricity have paid for the
emissions behind their goods. The first three quarters brought in 1.9 billion euros, a third less
than forecast.

## Why less

Imports of the most carbon-heavy steel fell by 28 percent. Part of that is real change, as Turkish
mills switched to scrap and electricity. Part is reshuffling: producers send their clean output to
Europe and the rest elsewhere. Customs data suggest that reshuffling explains about half.

## Who paid

| Goods | Share of revenue |
|---|---|
| Iron and steel | 61 % |
| Aluminium | 17 % |
| Fertiliser | 14 % |
| Cement | 7 % |
| Electricity | 1 % |

## Complaints

Small importers object to the paperwork. A workshop that buys 60 tonnes of screws a year spent 41
hours on forms. From 2027 a threshold of 50 tonnes will free nine tenths of importers and lose 1
percent of the emissions.

## What to watch

Other countries are answering with carbon prices of their own. Four announced one this year, and
three of them named the border charge as the reason.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/storm-warning-app',
    title: 'New storm warnings name streets instead of counties',
    author: 'Eilidh Marr',
    published: { days_ago: 2 },
    language: 'en',
    country: 'US',
    topics: ['climate', 'software', 'cities'],
    kind: 'news',
    body: `
From this week flood and storm warnings will name streets and hours rather than counties and days,
the weather service announced on the first anniversary of the floods that killed 19 people.

## How it works

A model with a grid of 300 metres runs every 15 minutes and is corrected by 14,000 rain gauges,
many of them in gardens. A message goes to telephones inside the area expected to flood within the
next three hours, in the language to which the telephone is set.

## Fewer false alarms

In the trial, 71 percent of the warned streets did flood, against 12 percent of the warned
counties before. "People stop listening after the third alarm that comes to nothing," said the
head of the service, Laverne Pike.

## What it does not do

The system cannot see blocked drains or failing walls. Local crews can add what they know by
radio. The service will publish each missed flood and each false alarm at the end of the season.`,
  },
  {
    url: 'https://papers.meridian.example/2023/peatland-rewetting',
    title: 'Emissions from rewetted peatland: a six-year eddy covariance record',
    author: 'M. Tamm, J. Kowalczyk',
    published: '2023-11-21',
    language: 'en',
    country: 'EE',
    topics: ['climate', 'water', 'agriculture'],
    kind: 'paper',
    body: `
## Abstract

Drained peat releases carbon dioxide for as long as it lasts. We measured the exchange of carbon
dioxide and methane above a former peat meadow of 84 hectares from two years before to four years
after its water table was raised.

## Results

Before rewetting the site released 24 tonnes of carbon dioxide per hectare and year. In the first
year after it, methane rose sharply and the site warmed the climate as much as before. From the
second year on methane fell, and by the fourth the total effect was down to 5 tonnes.

## The water table decides

A mean water table between 5 and 15 centimetres below the surface gave the lowest total. Flooded
patches emitted eleven times more methane than wet ones. Managers should therefore aim at wet
rather than flooded, and should remove the nutrient-rich top layer where a shallow lake is
unavoidable.

## Land use

The owner now harvests cattail for insulation boards. Income per hectare is about two thirds of
that from grass, without counting payments for the avoided emissions.`,
  },
  {
    url: 'https://fieldnotes.example/soil/cover-crops-ten-fields',
    title: 'Cover crops on ten fields: what five winters taught us',
    author: 'Hannah Whitcombe',
    published: '2025-01-27',
    language: 'en',
    country: 'US',
    topics: ['agriculture', 'climate'],
    kind: 'article',
    images: ['https://fieldnotes.example/photos/rye-november.jpg'],
    body: `
We farm 900 acres of corn and beans in Iowa. In 2019 we drilled rye into ten fields after harvest
and left ten others bare. Five winters later we have numbers as well as opinions.

## Soil

Organic matter went from 3.1 to 3.5 percent on the rye fields and did not change on the others.
After the downpour of May 2023 the bare fields lost soil you could see in the ditch; the rye
fields ran clear.

## Yield and money

| | With rye | Without |
|---|---|---|
| Corn, bushels per acre | 196 | 201 |
| Beans, bushels per acre | 61 | 58 |
| Extra cost per acre | 34 dollars | 0 |
| Herbicide per acre | 22 dollars | 41 dollars |

Corn suffers a little because rye ties up nitrogen in spring. Beans gain, because the mat keeps
weeds down. Over the rotation we are 6 dollars an acre ahead, and 16 with the county payment.

## Advice

Kill the rye two weeks before corn and on the day you plant beans. Buy seed in July. And do not
judge the idea after one wet spring: we nearly did.`,
  },
  {
    url: 'https://fieldnotes.example/irrigation/drip-on-a-budget',
    title: 'Drip irrigation on a budget for vegetable growers',
    author: 'Samuel Otieno',
    published: '2026-05-25',
    language: 'en',
    country: 'KE',
    topics: ['agriculture', 'water'],
    kind: 'article',
    links: ['https://clearwater.example/desalination/small-plants'],
    body: `
A quarter-acre of tomatoes needs about 3,000 litres of water on a hot day from a hose. With drip
lines it needs 1,300. The equipment can cost 900 dollars or 140; this is the second way.

## What to buy

- A 1,000 litre tank on a stand 1.5 metres high
- A screen filter of 120 mesh, never skipped
- Tape with holes every 30 centimetres, 8 cents a metre
- End caps, or a folded end tied with wire

## Laying it out

Keep each line shorter than 30 metres, because low pressure fades. Run the lines along the slope
rather than down it. Open the ends once a week and let the dirt out.

## What to expect

Growers in our group used 55 percent less water, spent eight hours a week less on watering and
lost fewer plants to leaf disease, because leaves stayed dry. Tape lasts three seasons if it is
rolled up before ploughing. The first failure is always the filter.

## Feeding through the lines

Dissolve fertiliser in the tank, let it run for the middle third of the time, and finish with
clean water. Strain it through cloth first.`,
  },
  {
    url: 'https://fieldnotes.example/robots/weeding-robot-diary',
    title: 'Diary of a weeding robot: one season on an organic farm',
    author: 'Hannah Whitcombe',
    published: '2026-09-30',
    language: 'en',
    country: 'FR',
    topics: ['agriculture', 'software'],
    kind: 'article',
    body: `
Our neighbours in the Somme rented a weeding robot for their carrots: 1.4 metres wide, solar panel
on top, and about the pace of a walking child. They kept a diary from April to September.

## The good weeks

In dry soil it worked 19 hours a day and weeded 3.2 hectares a week, as much as eleven people with
hoes. Its cameras knew carrots from fat-hen from the second leaf on. Of every hundred weeds it
took 93, and of every hundred carrots it took two by mistake.

## The bad weeks

After rain it stood. Clay stuck to the wheels, the cameras mistook clods for plants, and three
times it waited at the headland for someone to press a button in the night. Twice it lost its
satellite signal beside the poplars.

## The bill

Rent was 24,000 euros for the season. Hand weeding would have cost 31,000, if anybody could have
been found. Yield was the same. They will rent again, and have asked for narrower tyres.`,
  },
  {
    url: 'https://fieldnotes.example/prices/fertiliser-outlook',
    title: 'Fertiliser prices: why nitrogen is cheaper and phosphate is not',
    author: 'Grace Abiodun',
    published: { days_ago: 6 },
    language: 'en',
    country: 'US',
    topics: ['agriculture', 'finance'],
    kind: 'news',
    body: `
Urea fell to 372 dollars a tonne this week, the lowest since spring, while phosphate rose for the
fifth week in a row to 655. Growers who have not yet bought for next season face two different
decisions.

## Nitrogen

Gas, from which nitrogen fertiliser is made, has become cheaper as storage sites are full. Two new
plants on the Gulf coast add 2 million tonnes of capacity. Traders expect prices to stay below 400
until March.

## Phosphate

One exporting country has kept its limits until the end of the year, and battery makers buy the
same purified acid for iron phosphate cells. They now take about 6 percent of world supply, from
almost nothing in 2019.

## What advisers say

Test the soil before paying for phosphate: on two fields in five, reserves are high enough to skip
a year. For nitrogen, most advisers suggest covering half of the need now and the rest in
February.`,
  },
  {
    url: 'https://fieldnotes.example/livestock/methane-feed-additive',
    title: 'A pinch against methane: feed additives in three dairy herds',
    author: 'Samuel Otieno',
    published: '2024-08-15',
    language: 'en',
    country: 'NZ',
    topics: ['agriculture', 'climate'],
    kind: 'article',
    body: `
A dairy cow belches 100 kilograms of methane a year. A white powder mixed into her feed, about a
quarter of a teaspoon a day, stops one enzyme in her stomach and cuts that by a quarter or more.
Three herds tried it for a year.

## Measured, not promised

In the barn herd, fed a complete mix, methane fell by 29 percent. In the herd that grazed by day
and was fed at night it fell by 17. On pasture alone, with the additive in a lick, it fell by 6,
since the effect lasts only a few hours.

## Milk and animals

Milk yield did not change. Fat rose slightly, from 4.2 to 4.3 percent. Vets found no difference in
health, and the milk showed no trace of the substance.

## Who pays

The powder costs 85 dollars per cow and year. The dairy pays two cents more per litre for milk
from treated herds, which covers it in the barn and does not on pasture. A slow-release capsule is
being tested and may change the sum.`,
  },
  {
    url: 'https://climateledger.example/explainers/urban-heat-island',
    title: 'Urban heat islands: why cities stay warm at night',
    published: '2023-07-18',
    language: 'en',
    country: 'GB',
    topics: ['climate', 'cities'],
    kind: 'reference',
    body: `
A city can be several degrees warmer than the fields around it. The difference is smallest at noon
and largest a few hours after sunset, when walls and roads give back the heat of the day.

## Causes

Stone and asphalt store heat. Narrow streets see little of the sky and cool slowly. There are
fewer plants to cool the air by evaporation, and traffic, kitchens and air conditioners add warmth
of their own, about 20 watts per square metre in a dense centre.

## How large it is

On calm, clear nights the difference is commonly 3 to 6 degrees in cities of more than half a
million people. Wind above 6 metres a second removes it almost entirely.

## What helps

| Measure | Cooling nearby on a hot afternoon |
|---|---|
| Street trees, half the street shaded | 1.0 to 2.5 °C |
| Park of at least two hectares | 1.5 to 4 °C |
| White roofs over a district | 0.3 to 0.8 °C |
| Fountains and mist | 0.5 to 2 °C, very local |

Shade acts at once and on the body directly, which is why it feels stronger than a thermometer
says.`,
  },
];
