// Pages in German, French, Spanish, Portuguese and Japanese, for language and country filters.
import type { SourcePage } from './page.ts';

export const otherLanguages: SourcePage[] = [
  {
    url: 'https://tagblatt.example/energie/balkonkraftwerk-speicher',
    title: 'Balkonkraftwerk mit Speicher: Wann sich die Solarbatterie lohnt',
    author: 'Katrin Sommer',
    published: '2026-05-08',
    language: 'de',
    country: 'DE',
    topics: ['energy', 'storage'],
    kind: 'article',
    images: ['https://tagblatt.example/bilder/balkon-module.jpg'],
    body: `
Zwei Solarmodule am Geländer liefern in Hannover rund 750 Kilowattstunden im Jahr. Ohne Speicher
nutzt ein Paar davon gut die Hälfte, der Rest fließt unbezahlt ins Netz. Eine kleine Batterie soll
das ändern.

## Die Rechnung

Ein Speicher mit zwei Kilowattstunden kostet etwa 600 Euro. Er verschiebt an sonnigen Tagen 1,4
Kilowattstunden vom Mittag in den Abend, über das Jahr sind es 260. Bei 34 Cent je Kilowattstunde
spart das 88 Euro. Nach knapp sieben Jahren ist das Gerät bezahlt.

## Was im Test auffiel

Drei von acht Speichern verbrauchten im Leerlauf mehr als zehn Watt. Das frisst ein Drittel des
Gewinns. Im Winter sollte man sie abschalten, denn dann reicht die Energie der Module kaum für den
Kühlschrank.

## Worauf Mieter achten müssen

Die Anlage wird beim Netzbetreiber und im Register angemeldet. Der Vermieter darf seit 2024 nur
noch aus gutem Grund ablehnen. Die Batterie gehört auf ebenen Boden, nicht in die Sonne und nicht
in den Fluchtweg.

## Unser Fazit

Wer abends zu Hause ist und mehr als 2.500 Kilowattstunden im Jahr braucht, rechnet sich den
Speicher schön, ohne zu schummeln. Alle anderen warten auf fallende Preise.`,
  },
  {
    url: 'https://tagblatt.example/verkehr/nachtzug-berlin-lyon',
    title: 'Nachtzug Berlin–Lyon startet im Dezember',
    author: 'Jannis Vogt',
    published: { days_ago: 5 },
    language: 'de',
    country: 'DE',
    topics: ['transport'],
    kind: 'news',
    body: `
Ab dem Fahrplanwechsel im Dezember fährt dreimal in der Woche ein Nachtzug von Berlin über
Frankfurt und Straßburg nach Lyon. Das teilte der Betreiber am Dienstag mit. Der Vorverkauf
beginnt nächste Woche.

## Fahrzeit und Preise

Der Zug verlässt Berlin um 19:48 Uhr und erreicht Lyon um 9:32 Uhr. Ein Sitzplatz kostet ab 39
Euro, ein Platz im Liegewagen ab 69, ein Abteil für zwei Personen ab 249. Fahrräder kosten zwölf
Euro und müssen angemeldet werden.

## Alte Wagen, neues Netz

Die Wagen stammen aus den Neunzigerjahren und wurden in Halberstadt für 28 Millionen Euro
modernisiert. Neue sind erst für 2029 zu haben. Frankreich erlässt Nachtzügen seit diesem Jahr
einen Teil der Trassengebühren; ohne diesen Nachlass, so der Betreiber, gäbe es die Linie nicht.

## Stimmen

Der Fahrgastverband begrüßt das Angebot und fordert eine tägliche Fahrt. Die Stadt Straßburg hofft
auf 20.000 Gäste im Jahr. Kritik kommt aus dem Güterverkehr: Nachts seien die Gleise im Rheintal
bereits voll.`,
  },
  {
    url: 'https://tagblatt.example/gesundheit/hitzeschutz-pflegeheime',
    title: 'Hitzeschutz in Pflegeheimen: kühle Räume, klare Pläne',
    author: 'Katrin Sommer',
    published: '2025-07-02',
    language: 'de',
    country: 'AT',
    topics: ['health', 'climate'],
    kind: 'article',
    body: `
An heißen Tagen sterben in Pflegeheimen deutlich mehr Menschen als sonst. Ein Verbund von vierzig
Häusern in der Steiermark hat nun zwei Sommer lang erprobt, was hilft.

## Ein kühler Raum genügt

Nicht jedes Zimmer braucht eine Klimaanlage. Ein gemeinsamer Raum mit höchstens 26 Grad, in dem
die Bewohner drei Stunden am Nachmittag verbringen, senkte die Zahl der Einweisungen um 28
Prozent. Die Kosten lagen bei 9.000 Euro je Haus.

## Trinken nach Plan

Auf jedem Tisch steht ein Krug mit einer Markierung für Mittag und Abend. Wer Entwässerungsmittel
nimmt, wird bei einer Hitzewarnung vom Hausarzt angerufen. Das klingt banal und war der wirksamste
Schritt.

## Nächte

Gelüftet wird ab vier Uhr früh, wenn es draußen am kühlsten ist. Die Nachtschicht bekam dafür eine
zusätzliche Stunde bezahlt. Außenjalousien halten mehr Wärme ab als jede Folie am Fenster.

## Ausblick

Ab 2027 sollen alle Heime des Landes einen Hitzeplan vorlegen. Der Verbund stellt seine Vorlage
kostenlos bereit.`,
  },
  {
    url: 'https://journal-eau.example/gestion/fuites-reseau',
    title: 'Fuites d’eau : comment une ville moyenne a divisé ses pertes par deux',
    author: 'Agathe Renaud',
    published: '2026-01-21',
    language: 'fr',
    country: 'FR',
    topics: ['water', 'cities'],
    kind: 'article',
    links: ['https://clearwater.example/networks/acoustic-leaks'],
    body: `
En France, un litre d’eau potable sur cinq se perd avant d’arriver au robinet. À Alès, les pertes
atteignaient 29 % en 2019. Elles sont aujourd’hui de 14 %.

## Mesurer la nuit

La régie a découpé le réseau en 46 secteurs, chacun avec son compteur. Entre deux et quatre heures
du matin, presque personne ne consomme : ce qui coule encore est une fuite. Les équipes
interviennent d’abord là où le débit nocturne augmente, et non là où les tuyaux sont les plus
vieux.

## Baisser la pression

La pression a été réduite d’un bar dans les quartiers bas. Cette seule mesure a supprimé un quart
des fuites et prolongé la vie des branchements. Trois immeubles ont dû installer un surpresseur,
payé par la ville.

## Le coût

L’opération a coûté 3,1 millions d’euros en cinq ans. L’eau économisée vaut 480 000 euros par an,
et le forage prévu au nord de la ville n’est plus nécessaire.

## Ce qui reste à faire

Les branchements en plomb, encore 2 100, seront remplacés avant 2030. La facture moyenne a
augmenté de 11 euros par an et par foyer.`,
  },
  {
    url: 'https://journal-eau.example/actualites/secheresse-nappes',
    title: 'Sécheresse : les nappes phréatiques se rechargent lentement',
    author: 'Bastien Lacroix',
    published: { days_ago: 14 },
    language: 'fr',
    country: 'FR',
    topics: ['water', 'climate', 'agriculture'],
    kind: 'news',
    body: `
Malgré un automne pluvieux, 54 % des nappes restent sous les normales de saison, selon le bulletin
publié lundi. La recharge a commencé avec trois semaines d’avance dans l’ouest et tarde dans le
sud-est.

## Des contrastes marqués

Les nappes de la craie, au nord, réagissent avec plusieurs mois de retard et profitent encore des
pluies du printemps. Autour de la Méditerranée, certains niveaux sont les plus bas depuis le début
des mesures, en 1974.

## Restrictions

Dix-huit départements maintiennent des limites pour l’arrosage et le lavage. Les agriculteurs du
Roussillon demandent l’accès aux eaux usées traitées ; une station pilote y fournit déjà 900
mètres cubes par jour à des vergers de pêchers.

## Perspectives

Il faudrait 350 millimètres de pluie efficace d’ici mars pour revenir à la normale dans le sud,
soit une fois et demie la moyenne. Les prévisions saisonnières n’indiquent pas de tendance nette,
et le prochain bulletin paraîtra en décembre.`,
  },
  {
    url: 'https://elcampo.example/riego/placas-solares-bombeo',
    title: 'Bombeo solar para riego: energía sin factura y agua con medida',
    author: 'Lucía Ferrer',
    published: '2025-04-16',
    language: 'es',
    country: 'ES',
    topics: ['agriculture', 'energy', 'water'],
    kind: 'article',
    body: `
Una comunidad de regantes de Albacete cambió en 2022 sus bombas diésel por placas solares. Tres
años después paga un 64 % menos por la energía y ha aprendido que el sol barato también tiene
riesgos.

## La instalación

Son 420 kilovatios de paneles, dos bombas y una balsa de 38.000 metros cúbicos que hace de
batería. El agua se bombea al mediodía y se riega de noche, cuando se evapora menos. La inversión
fue de 610.000 euros, con una ayuda del 40 %.

## El peligro de regar de más

Cuando bombear no cuesta nada, se bombea más. El primer año el consumo de agua subió un 13 %. La
comunidad instaló contadores y fijó un cupo por hectárea; desde entonces gasta menos agua que con
el diésel.

## Almacenamiento

Se estudió una batería de litio y se descartó: guardar agua en alto cuesta la décima parte por
kilovatio hora. Solo la oficina y las válvulas tienen una pequeña, de diez kilovatios hora.

## Consejos

Conviene medir un año entero antes de dimensionar, limpiar los paneles tras cada calima y guardar
una bomba de reserva. La avería más cara fue un variador de 4.000 euros, en plena campaña.`,
  },
  {
    url: 'https://elcampo.example/mercados/aceite-precio',
    title: 'El aceite de oliva baja por tercer mes consecutivo',
    author: 'Álvaro Requena',
    published: { days_ago: 2.5 },
    language: 'es',
    country: 'ES',
    topics: ['agriculture', 'finance'],
    kind: 'news',
    body: `
El kilo de aceite de oliva virgen extra se pagó esta semana a 4,05 euros en origen, un 9 % menos
que hace un mes y menos de la mitad del máximo de enero de 2024. Las lluvias de otoño anuncian una
cosecha buena.

## La cosecha

Las cooperativas esperan 1,45 millones de toneladas, un 12 % más que la campaña pasada. En Jaén
los árboles han recuperado el vigor tras tres años de sequía. Falta mano de obra: se buscan 9.000
jornaleros hasta febrero.

## En la tienda

El precio en el supermercado baja más despacio. La garrafa de cinco litros cuesta de media 27,90
euros, frente a 29,40 en septiembre. Las cadenas dicen que aún venden aceite comprado en verano.

## Exportación

Las ventas al exterior crecieron un 7 % en octubre, sobre todo a Estados Unidos y Brasil. El
sector pide reglas claras para las mezclas que llegan de terceros países y se embotellan en la
Unión.`,
  },
  {
    url: 'https://litoral.example/energia/eolica-flutuante',
    title: 'Eólica flutuante: três anos de turbinas ao largo de Viana',
    author: 'Teresa Magalhães',
    published: '2024-10-02',
    language: 'pt',
    country: 'PT',
    topics: ['energy', 'oceans'],
    kind: 'article',
    body: `
A vinte quilómetros da costa, onde o mar tem cem metros de fundo, três turbinas flutuam presas por
cabos. Produziram 78 gigawatts-hora num ano, o suficiente para 25 mil casas, e resistiram a ondas
de vinte metros.

## Como flutuam

Cada turbina assenta num triângulo de aço com água de lastro que se desloca conforme o vento. Foi
montada em terra e rebocada, sem navios especiais. Quando uma pá se avariou, a turbina voltou ao
porto e regressou ao mar em três semanas.

## Quanto custa

O parque piloto custou 125 milhões de euros e vende energia a 140 euros por megawatt-hora. Para o
próximo leilão, com parques vinte vezes maiores, os promotores falam em 80 a 95.

## Pescadores

A zona fechada à pesca tem nove quilómetros quadrados. As associações receberam um fundo anual e
lugar na comissão que vigia o parque. Contam que há mais polvo junto às amarras do que antes.

## O que se segue

O cabo até terra já tem capacidade para mais quatro turbinas. Falta espaço no porto: o cais actual
não suporta o peso das novas naceles.`,
  },
  {
    url: 'https://litoral.example/cidades/onibus-eletrico-recife',
    title: 'Ônibus elétricos no Recife: o que mostram os primeiros mil dias',
    author: 'Caio Bezerra',
    published: '2026-07-21',
    language: 'pt',
    country: 'BR',
    topics: ['transport', 'cities', 'storage'],
    kind: 'article',
    body: `
O Recife pôs 90 ônibus elétricos nas ruas em 2023. Mil dias depois, eles rodaram 14 milhões de
quilômetros. Os números ajudam outras cidades a decidir com menos folheto e mais conta.

## Custo por quilômetro

Com energia comprada de noite, o ônibus elétrico gasta 1,10 real por quilômetro; o a diesel, 3,20.
A manutenção caiu pela metade. O veículo, porém, custa quase o dobro e só se paga no nono ano.

## Calor e bateria

O ar-condicionado consome um quinto da energia. As baterias perderam 7 % da capacidade, menos que
o previsto, porque os ônibus carregam devagar na garagem e raramente passam de 85 %.

## Energia solar na garagem

O telhado da garagem produz um terço do consumo. Um banco de baterias usadas guarda a sobra do
meio-dia para a recarga da noite e evitou uma subestação nova, orçada em seis milhões.

## Passageiros

Numa pesquisa com 2.400 pessoas, o silêncio foi a vantagem mais citada. A queixa mais comum não
mudou: o intervalo entre um ônibus e outro.`,
  },
  {
    url: 'https://miraitoshi.example/energy/jutaku-chikudenchi',
    title: '住宅用蓄電池と太陽光発電:導入前に知っておきたいこと',
    author: '中川 美咲',
    published: '2026-04-03',
    language: 'ja',
    country: 'JP',
    topics: ['energy', 'storage'],
    kind: 'article',
    images: ['https://miraitoshi.example/img/chikudenchi.png'],
    body: `
太陽光発電の固定価格買取期間が終わる家庭が増えている。売るより使うほうが得になり、余った電気をた
める住宅用蓄電池への関心が高まっている。

## 容量の決め方

四人家族が夕方から朝までに使う電気は、平均で約七キロワット時である。これより大きな蓄電池を買って
も、冬は満充電にならない日が多い。まず一年分の電力データを確認することが大切だ。

## 費用と補助金

工事費を含む価格は一キロワット時あたり十五万円前後で、五年前より三割下がった。国と自治体の補助金
を合わせると、費用の三分の一ほどが戻る場合もある。申請は契約の前に行う必要がある。

## 停電への備え

停電時に家全体へ電気を送る「全負荷型」と、決めた部屋だけに送る「特定負荷型」がある。冷蔵庫、照明
、通信機器だけなら、七キロワット時で一日以上使える。エアコンを使うと半日ほどでなくなる。

## 設置場所

直射日光と積雪を避け、寝室の壁から離すとよい。運転音は図書館の中と同じ程度だが、夜には気になる人
もいる。

## まとめ

十年間の保証、残る容量の約束、修理の窓口。この三つを書面で確かめてから決めたい。`,
  },
  {
    url: 'https://miraitoshi.example/city/nouson-bus',
    title: '予約制バスが変えた山里の移動',
    author: '高橋 健',
    published: { days_ago: 22 },
    language: 'ja',
    country: 'JP',
    topics: ['transport', 'cities'],
    kind: 'news',
    body: `
長野県の山あいの町で、定時運行のバスを予約制に切り替えてから一年がたった。利用者は月に千二百人か
ら二千百人に増え、町の負担は一割減った。

## しくみ

利用者は電話か携帯の画面で、行きたい場所と時間を伝える。十人乗りの車三台が、予約に合わせて道順を
決める。待ち時間は平均で十一分、病院の予約がある人は優先される。

## 変わったこと

バス停まで歩けなかった高齢者が、家の前から乗れるようになった。週に一度だった買い物が三度になった
人もいる。商店街の売り上げは四パーセント伸びた。

## 課題

朝の通学時間には予約が重なり、断る日が月に数回ある。町は来年度、もう一台を加える考えだ。運転手五
人のうち三人が六十五歳を超えており、後継者を探している。

## 周辺への広がり

隣の二つの町も同じしくみを取り入れる予定で、町境を越えた予約ができるようになる。`,
  },
];
