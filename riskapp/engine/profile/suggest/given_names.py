"""Common given names: enough to notice a column of people's names whatever its header says."""

_NAMES = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald
steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas
eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick frank raymond jack dennis
jerry tyler aaron jose adam nathan henry peter oliver harry oscar leo mary patricia jennifer linda elizabeth barbara
susan jessica sarah karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda melissa
deborah stephanie rebecca laura sharon cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen
samantha katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie olivia joyce
victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah martha jacqueline sophia grace alice
hans klaus wolfgang jurgen jürgen dieter manfred uwe gunter günter helmut bernd rainer stefan andreas matthias markus
sebastian jan tobias lukas leon finn jonas felix ursula monika petra sabine renate helga karin brigitte ingrid erika
gisela susanne heike katrin anja silke ute claudia birgit lena mia lea marie johanna greta
jean pierre philippe alain bernard jacques francois françois gerard gérard laurent olivier pascal didier thierry
nicolas julien guillaume antoine hugo louis lucas nathalie isabelle sylvie martine francoise françoise monique
valerie valérie sandrine veronique véronique celine céline camille manon chloe chloé ines inès juliette
antonio manuel francisco juan carlos javier luis miguel angel ángel rafael pedro alejandro fernando sergio pablo
jorge alberto alvaro álvaro diego carmen josefa isabel dolores pilar teresa cristina marta lucia lucía elena raquel
paula sofia sofía
giuseppe giovanni mario luigi vincenzo pietro francesco domenico franco salvatore marco matteo lorenzo andrea
alessandro davide riccardo giuseppina rosa angela giovanna lucia francesca chiara federica giulia silvia valentina
elisa simona
johannes cornelis hendrik willem pieter gerrit jacobus dirk jeroen bart sander daan sem bram johanna cornelia
elisabeth wilhelmina hendrika anneke marijke femke sanne lotte fleur anouk
mohamed mohammed ahmed ali fatima aisha mehmet ayse ayşe fatma wei ming yuki olga irina natalia svetlana ivan dmitri
piotr krzysztof agnieszka katarzyna malgorzata
"""

GIVEN_NAMES = frozenset(_NAMES.split())
